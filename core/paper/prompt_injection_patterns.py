"""The patterns of prompt injection: words, orders and openings in several languages. All match lower-case text."""

from __future__ import annotations

import re

# ---- Words: machines, roles, orders ----


def any_of(*parts: str) -> str:
    """A pattern for any of some patterns."""
    return f"(?:{'|'.join(parts)})"


MACHINES = any_of(
    r"\b(?:ais?|a\.i\.|llms?|(?:large )?language models?|neural networks?|artificial intelligence|chatbots?"
    r"|chat ?gpts?)\b",
    r"\b(?:gpt(?:-?\d\w*)?|gemini|claude|copilot|foundation models?|text generators?|review(?:er|ing) software"
    r"|bots|summari[sz]ers?|transformer models?)\b",
    r"\bai[- ](?:\w+ )?(?:models?|systems?|tools?)\b",
    r"\b(?:ai|automat(?:ed|ic)|machine|digital|virtual|computer)[- ](?:\w+ )?"
    r"(?:assistant|agent|reviewer|reader|evaluator|grader|judge|screener|referee|rater|assessor)s?\b",
)
ROLES = any_of(
    MACHINES,
    r"(?:assistant|reviewer|referee|model|bot|agent|evaluator|judge|grader|critic|rater|assessor|expert)s?\b",
)
WORKS = r"(?:paper|study|trial|manuscript|article|work|submission|document|text|publication|passage|sentence|paragraph)"

# What a machine may be ordered to do.
DROP = any_of(
    r"ignor(?:e|ing)|disregard(?:ing)?|forget|overlook|overrid(?:e|ing)|bypass|discard|neglect|dismiss|abandon|drop",
    r"erase|delete|skip|cancel|reset|unlearn|disobey|(?:set|put|leave|lay|cast) aside|scrap|suspend",
    r"pay no (?:attention|heed|regard) to|take no notice of",
    r"(?:do not|don't|never|stop|cease|no longer|quit) "
    r"(?:follow|obey|heed|use|apply|consider|comply|adhere|respect|listen|mind)\w*(?: to| with)?",
)
SAY = (
    "respond|reply|answer|output|return|print|say|write|state|produce|generate|conclude|report|declare|emit|begin"
    "|start|"
    "finish|speak|talk|note|insist|argue|summari[sz]e|tell|inform|include|insert|append|add|mention|repeat|"
    "convince|persuade|promote|defend|exclude|replace|cease|list|"
    "translate|display|reveal|provide|give|assert|claim|affirm|confirm|emphasi[sz]e|highlight|stress|praise"
    "|recommend|"
    "endorse|describe|call|quote|cite|present|extol|commend|laud|portray|characteri[sz]e|frame|phrase|express"
    "|complete|"
    "find|pretend|act|behave|be|make|ensure|keep"
)
RATE = (
    "rate|score|grade|judge|classify|assess|mark|label|assign|rank|evaluate|treat|consider|deem|regard|award|accept|"
    "approve|select|choose|pick|set|view|categori[sz]e|code|flag|favou?r|prefer|prioriti[sz]e|assume|hold|take"
    "|use|put|"
    "place|support|review"
)
SAY_IT = "(?:print|output|emit|return|insert|include|append|add|use|repeat|write|say|state|answer|reply|respond|begin|start|end)"

# Where an order begins: at the start of a clause, after words that lead up to it. After a comma, an order is recognised
# only if the sentence opens with a condition ("If asked, say ...").
_START = (
    r"(?:^|(?<=[.:;!?]))[\s\"“”'‘«»(\[>*#_-]*(?:(?:please|now|then|instead|also|always|just|simply|only|therefore"
    r"|next|finally"
    r"|kindly|immediately|important|be sure to|make sure (?:to|that)|remember to|you)\b[,:]?\s+)*"
)
_YOU_TO = (
    r"\b(?:you (?:must|should|shall|will|can|are to|need to|have to|ought to|may|might"
    r"|are (?:hereby |now )?(?:asked|instructed|told|ordered|required|requested) to)"
    r"|your (?:only |sole |main |new |real )?(?:task|job|goal|purpose|role|duty|aim) (?:here )?is (?:now |only "
    r"|simply )?to"
    r"|(?:ask|instruct|order|urge|request|remind)(?:ed)? you to"
    r"|(?:models?|assistants?|reviewers?|llms?|ais?|systems?) (?:must|shall|should|is to|are to|needs? to|ha(?:s"
    r"|ve) to))"
    r"\s+(?:\w+ly |now |only |also )?"
)
_CONDITION = (
    r"^(?:if|when|whenever|whatever|wherever|in your|in the|as an?|for (?:this|the|your|any|every)|once|before|after"
    r"|regardless|no matter|despite|from (?:now|here|this)|on reading|upon)\b[^.]{0,120}[,:]\s*(?:please |then "
    r"|always |only |you )?"
)
LEAD = any_of(_START, _YOU_TO, _CONDITION, r"\bplease\s+")

IMPERATIVE = re.compile(
    rf"{LEAD}(?P<verb>{SAY}|{RATE})\b,? [\"“'‘«(]?(?:(?:this|that|these|those|the|all|every|each|any|it|its"
    rf"|our|me|us|them|only"
    r"|with|as|no|nothing|none|yes|in|to|a|an|your|yourself|my|at|low|on|about|of this|full|top|strengths|merits"
    r"|domains?|allocation|randomi[sz]ation|blinding|attrition|high\w*|positive\w*"
    r"|favou?rabl\w*|accept\w*|just|well|how|more|most|what\w*)\b|[\"“'‘«])"
)
PROHIBITION = re.compile(
    rf"{LEAD}(?:do not|don't|never(?! \w+ed\b| felt| been| had| smok)|avoid|refrain from|under no circumstances"
    rf"|no need to|must not|mustn't|leave out|omit"
    r"|withhold|suppress|overlook|ignore|disregard|dismiss|gloss over|excuse|forgive|hide|conceal|downplay|play down"
    r"|keep (?:silent|quiet)|say nothing|stay silent)\b"
    r"|\b(?:you|models?|assistants?|llms?|ais?) (?:must|should|shall|may|can|will|are) (?:not|never)\b"
    r"|\band (?:(?:do not|don't|never) (?:mention|report|raise|discuss|highlight|list|name|note)|keep (?:silent"
    r"|quiet)"
    r"|stay silent|say nothing)\b.{0,40}\b(?:limitations?|weakness(?:es)?|flaws|shortcomings|negatives)"
)
_YOURS = (
    r"(?:review|summary|answer|response|reply|output|report|assessment|evaluation|judge?ments?|rating|score"
    r"|verdict|conclusion"
    r"|task|instructions?|prompt|guidelines?|training|analysis|recommendation|critique|feedback)"
)
YOU = re.compile(
    r"\byou (?:make|write|give|produce|output|return|generate|provide|answer)\b|"
    r"\byou (?:must|should|shall|will|are to|need to|have to|are required|may only|can only)\b"
    rf"|\byour (?:\w+ ){{0,2}}{_YOURS}\b"
    r"|\b(?:it is|is) (?:essential|crucial|vital|important|mandatory|required|imperative) (?:that|to|for)\b.{0,40}"
    r"\b(?:you|model|assistant|reviewer)\b"
)

# What the order is about. `VALUE` matches what only somebody who wants to be praised would ask for.
MACHINE = re.compile(rf"(?:{MACHINES}|\b(?:system|developer) (?:prompt|message)\b|\bthe (?:model|assistant)\b(?=[, ]))")
_PRAISE = r"(?:reviews?|summary|assessment|evaluation|verdict|report|tone|light|terms|recommendation)\b"
VALUE = re.compile(
    any_of(
        r"\b(?:low|no)(?:est)?[- ](?:in )?(?:overall )?(?:risk|bias)|\b10 ?(?:/|out of) ?10\b|\bscore of (?:ten"
        r"|10|100)\b",
        r"\b(?:as|is|be|are|to|answer|say|says|write|reply|judge?ments?|with) [\"“'‘«]?(?:low|yes|excellent"
        r"|adequate|sound"
        r"|flawless|perfect|true|none|supported|accept|good|reliable|robust|positive)\b(?! or )",
        rf"\b(?:positiv|favou?rabl)\w*\b.{{0,30}}\b{_PRAISE}|\b{_PRAISE}.{{0,40}}\b(?:positiv|favou?rabl)\w*",
        r"\b(?:high|top|max|best|full|perfect)\w* (?:possible |available )?"
        r"(?:score|rating|mark|grade|quality|praise|point|rank|confidence|relevance)",
        r"\b(?:excellent|outstanding|flawless|exceptional|ground-?breaking|landmark|superb|impeccable|brilliant"
        r"|prais(?:e|ing)"
        r"|laudatory|glowing|breakthrough|enthusiastic|unbiased|free (?:of|from) bias|beyond (?:doubt|reproach)"
        r"|safe and effective)\b",
        r"\bsome concerns\b|\baccept(?:ance|ed|able)?\b|\bpublication\b|\b(?:most relevant|key evidence"
        r"|top piece)\b|\b5 out of 5\b|\bhigh(?:est)?[- ]priority\b|\bno (?:concerns|limitations|flaws)",
        r"\bsupports? (?:the|every|any|all|this)\b.{0,20}hypothes",
        r"\bhypothes[ie]s (?:is|are) (?:\w+ )?(?:supported|true|confirmed|correct)",
    )
)
REPLY = re.compile(
    r"\b(?:review|summar(?:y|ies)|answer|response|reply|replies|output|assessment|evaluation|judge?ments?|rating"
    r"|verdict"
    r"|critique|feedback|recommendation|json|the (?:reader|user)|signalling questions?|final (?:report|decision"
    r"|score)|score of)\b"
)
WORK = re.compile(
    rf"\b(?:(?:this|our|said|the present)(?: \w+)?|the) (?:{WORKS}|authors?|research|hypothesis|abstract"
    rf"|results section)\b"
    r"|\b(?:every|each|all|any)(?: of the)? (?:domains?|items?|questions?|criteri\w+|hypothes[ie]s)"
)
BIAS = re.compile(
    r"\b(?:risk of bias|bias|limitations?|weakness(?:es)?|strengths|flaws?|shortcomings?|drawbacks?|criticisms?"
    r"|critici[sz](?:e|ing)"
    r"|concerns?|negatives|faults?|defects?|adverse (?:events?|effects?)|harms?|conflicts? of interest|domains?"
    r"|randomi[sz]ation|blinding|allocation concealment|attrition|methodolog\w+)\b"
)
UNCONDITIONAL = re.compile(
    r"\b(?:only|regardless|irrespective|no matter|whatever|without (?:exception|question|fail|changes|reservation)"
    r"|in (?:any|every|all) cases?|always|under no circumstances|exactly|verbatim|nothing else|nothing but"
    r"|at all costs)\b"
)


# ---- Whole sentences ----

_GIVEN = any_of(
    r"previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|past|your|you|given"
    r"|so far|before",
    r"until now|up to now|users?'?s?|system|developer|operator|all other|any other|hitherto|came first|come before",
)
_COMMANDS = any_of(
    r"instructions?|prompts?|directions?|directives?|guidelines?|commands?|rules?|orders?|constraints?|messages?",
    r"programming|safeguards?|guardrails?|restrictions?|everything|anything|all (?:of )?(?:that|the text|text)"
    r"|whatever",
    r"what|briefing|requests?|told|configuration|policy|policies|setup|tasks?",
)
_GOOD_REVIEW = (
    r"(?:give|write|provide|produce|generate|submit|return|draft|leave) (?:only )?(?:an? |the |your )?(?:[\w-]+ )?"
    r"(?:positive|favou?rable|glowing|enthusiastic|excellent|good|flattering|perfect|praising|laudatory) (?:[\w-]+ )?"
    r"(?:review|summary|report|assessment|evaluation|feedback|rating|verdict|recommendation)"
)
# Orders that only a machine that reads papers can be given. Each must follow words that lead up to an order.
STRONG_ORDER = re.compile(
    LEAD
    + any_of(
        rf"{DROP}\b.{{0,40}}\b{_GIVEN}\b.{{0,40}}\b{_COMMANDS}\b",
        rf"{DROP}\b.{{0,25}}\b{_COMMANDS}\b.{{0,40}}\b{_GIVEN}\b",
        rf"{DROP}\b (?:the |all |any )?(?:rest|remainder|remaining|other parts?|body)\b.{{0,40}}\b{WORKS}\b",
        rf"{DROP} (?:[\w-]+ ){{0,4}}(?:instructions?|prompts?|directives?|commands?|system message"
        rf"|review\w* guidelines"
        r"|guidelines of the (?:review|journal|edit)\w*)\b",
        rf"(?:act|behave|respond|answer|write|work|serve|pose)(?: now| only)? (?:as|like)(?: if you (?:are|were))?"
        rf"(?: an?| the)? (?:[\w-]+ ){{0,3}}{ROLES}",
        r"(?:say|state|claim|answer|conclude|assert|write|respond|reply|affirm|declare|tell \w+(?: \w+)?) that\b",
        r"let (?:the|your|every|each|all)\b.{0,20}\b(?:verdict|review|summary|judge?ments?|answers?|scores?"
        r"|ratings?)\b",
        r"(?:pretend|imagine|assume|suppose)(?: that)? you(?: are|'re| were)\b|pretend\b.{0,100}\byour?\b",
        r"(?:act|respond|answer|behave|write|reply|proceed) as (?:though|if)\b|(?:respond|reply) (?:only|in the"
        r"|with|exactly|to (?:every|each|all|any)|as|solely)\b",
        r"recommend (?:its |an? |the |immediate |unconditional |this \w+ for )*(?:acceptance|accept|publication"
        r"|strong accept)\b",
        r"(?:choose|select|pick|cite|quote|mark|return) (?:only )?(?:this|the present) (?:sentence|passage"
        r"|paragraph)\b",
        _GOOD_REVIEW,
        r"(?:answer|reply|respond)\b.{0,40}\bwith [\"“‘«']|(?:stop|cease|quit) (?:analy|read|review|process|evaluat|summari|assess)\w*",
        r"(?:say nothing|keep (?:silent|quiet)|stay silent) (?:about|on|of)\b|(?:respond|reply) to (?:the|every"
        r"|each|all|any) user",
        r"be (?:lenient|kind|generous|gentle|positive|supportive|enthusiastic|uncritical)\b",
        r"(?:upgrade|downgrade|raise|lower|adjust|change|inflate|increase) (?:the|your)\b.{0,20}"
        r"\b(?:certainty|rating|score|judge?ment|verdict|grade)\b",
        r"(?:output|respond|reply|return|print|answer)(?: only| just| exactly)? (?:with |in |using )?"
        r"(?:only |exactly |just |nothing but )?(?:the )?(?:words?|phrase|json|sentence|text|string|following"
        r"|[\"“'‘«])",
        r"(?:answer|reply|respond|say)(?: only| always| with)? [\"“'‘«]?(?:yes|no|low|y|py)\b.{0,30}"
        r"\b(?:to|for|on) (?:all|every|each|any)\b.{0,30}\b(?:signall?ing|domains?|items? of the tool|hypothes[ie]s)",
        rf"{SAY_IT}(?: (?:only|just|exactly|always|with|in|by|your|answer|reply|response|review"
        r"|the (?:words?|phrase|sentence|statement|term|line)|that))* [\"“‘«']",
        r"(?:do not|don't|never)(?: \w+)? (?:tell|mention|reveal|disclose|critici[sz]e|question|doubt|point|admit"
        r"|hint"
        r"|let on|highlight)\b",
    )
)
# Openings that say whom the sentence is addressed to.
STRONG_OPENING = re.compile(
    r"^[\W_]*"
    + any_of(
        rf"(?:system|assistant|ai|developer|chatgpt|llm)\]? ?: .*\b(?:you|your|{RATE}|respond|answer|output|must"
        r"|risk of bias|study|paper)\b",
        r"(?:henceforth|hereafter|from (?:now|this point)(?: on| forward| onwards?)?),? (?:all|every|any|each"
        r"|answer|respond|reply|act|ignore)\b",
        r"(?:i|we) (?:now )?(?:want|need|order|command|instruct) you to\b",
        r"(?:assistant|ai|llm|chatbot|chat ?gpt)s? (?:must|should|shall|is to|are to|has to|have to)\b",
        r"(?:new|updated|real|actual|revised|final) (?:task|instruction|objective|rule|role|goal|order|command)s? ?:",
        rf"(?:assistant|model|ai|llm|chat ?gpt|claude|gemini|dear \w+)s?, ?(?:please |you |now |always )*"
        rf"(?:{SAY}|{RATE}|{DROP}|do not|never|must|should)\b",
        r"(?:llm|language model|chat ?gpt|chatbot|ai (?:model|tool|system|reviewer|assistant))s?(?: \w+)? ?:",
        rf"(?:dear|attention|hey|hello|hi|note|message|instructions?|notice|reminder|memo)\b[^.]{{0,20}}?\b"
        rf"(?:{MACHINES}|assistant|model)s?(?: \w+){{0,3}} ?[,:–—-]",
        rf"for (?:the |all |any )?(?:[\w-]+ )?{MACHINES}(?: only| alone)?\s*[:–—-]",
    )
)
_READING = "(?:read|process|pars|review|evaluat|summari[sz]|analy[sz]|scann|assess|grad|judg)"
_MUST = r"\b(?:must|should|shall|is to|are to|needs? to|ha(?:s|ve) to|will|please|ought)\b"
_DO = (
    f"(?:{DROP}|conclude|say|answer|state|rate|score|grade|praise|recommend|mention|include|declare|respond"
    f"|reply|call|select"
    "|output|emphasi[sz]e|highlight|judge)"
)
STRONG = re.compile(
    any_of(
        # Marks of the formats in which models are prompted.
        r"<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|start_of_turn|end_of_turn|start_header_id"
        r"|eot_id)\|?>",
        r"\[/?inst\]|<</?sys>>|#{2,} ?(?:system|instructions?|assistant|human|response) ?:",
        rf"(?:{MACHINES}|assistant)(?: (?:that|which|who|when|while))?(?: is| are)? {_READING}(?:s|es"
        rf"|ing)?\b.{{0,40}}{_MUST}",
        r"(?:^|[,;:] |please )(?:note, )?(?:(?:large )?language model|chat ?gpt|ai (?:model|assistant|reviewer)"
        r"|dear model"
        r"|model)s?,",
        r"\b"
        + any_of(
            r"(?:begin|start|end|new|hidden|secret|updated) (?:of )?(?:the )?(?:system|developer|admin) ?"
            r"(?:prompt|message|instructions?|override)\b",
            # The conversation itself is mentioned, or orders in general.
            r"(?:conversation|instructions?|prompts?|directions|commands?|orders|everything (?:that )?you)\b.{0,60}"
            r"\b(?:void|invalid|no longer (?:valid|apply|hold|count)|cancell?ed|superseded|obsolete|revoked)\b",
            r"(?:comply with|obey|follow|act on) this (?:paragraph|passage|sentence|line|text|message|note)\b",
            r"(?:follow|obey|heed) (?:only )?(?:these|this|the following|my)(?: new)?"
            r"(?: (?:instructions?|orders?|commands?))? (?:instead|only)\b",
            r"(?:command|order|instruction|message)s? from (?:the|your) (?:developer|operator|administrator|system"
            r"|creator)\b",
            r"(?:developer mode|jailbreak|dan mode|prompt injection) (?:is |now )*(?:on|enabled|activated|active)\b",
            r"(?:disclose|reveal|mention|acknowledge|repeat) (?:this|these|the hidden) (?:message|instruction|note"
            r"|prompt)s?\b",
            r"(?:tell|let|inform|alert|reveal (?:this )?to|disclose .{0,20}to|show .{0,20}to) the (?:user|reviewer"
            r"|reader)s?\b"
            r".{0,30}\b(?:that you|this (?:message|text|instruction|note)|your)\b",
            r"(?:do not|don't|never|not to) (?:highlight|mention|raise|report|point out|include|discuss|note"
            r"|list)\b.{0,20}"
            r"\b(?:negatives?|weakness(?:es)?|flaws|shortcomings)\b",
            r"user ?:.*\bassistant ?:|\b(?:overrid|replac|supersed|cancel|outrank)(?:es?|s"
            r"|ed)\b.{0,30}\b(?:instruction|prompt|command"
            r"|directive)s?\b.{0,30}\byou\b|\bwhat(?:ever)? you (?:have been|were|are) told\b",
            r"(?:guidance|orders|rules|text|everything|all|advice|briefing) (?:that )?you (?:have |were "
            r"|had )?(?:been )?(?:received|given|told|got|read)\b",
            # "You" is given a role, a maker, or orders of its own.
            rf"you(?: are|'re|r role is| will be| act| shall be)(?: now| no longer| actually| only| hereafter"
            rf"| from now on)*"
            rf"(?: to be| acting)?(?: as)?(?: an?| the| my)? (?:[\w-]+,? ){{0,4}}{ROLES}",
            r"you(?:'ve| have| were| are)(?: been)?(?: now)? (?:updated|reprogrammed|reconfigured|instructed to"
            r"|programmed"
            r"|jailbroken|freed|free of|configured|fine-tuned)\b",
            r"your (?:developers?|creators?|programmers?|makers?|operators?|designers?|programming|training data)\b",
            r"your (?:system|hidden|initial|original|new|updated|secret|real|true) "
            r"(?:prompt|instructions?|task|directives?|orders|guidelines|objective)\b|\bconsider yourself\b",
            rf"as (?:an?|the) (?:[\w-]+ ){{0,3}}{ROLES}[^.]{{0,40}}, (?:you|please)\b|\b(?:from now on"
            rf"|henceforth),? you\b",
            rf"as an? (?:[\w-]+ ){{0,3}}{MACHINES},? (?:you|please|your|output|always|never|{RATE}|{SAY})\b",
            r"(?:so|therefore|hence) (?:please )?(?:extract|select|choose|cite|quote|return|pick) (?:it|this|that)\b",
            r"(?:asked?|told|given|wanted|requested) by the user\b|\bthe user (?:asked|asks|wants|told|requested"
            r"|tells)\b",
            # A machine is named, and told what to do.
            rf"if (?:you are|you're|this is|the reader is|you happen to be) (?:an? "
            rf"|the )?(?:[\w-]+ ){{0,3}}{MACHINES}",
            rf"{_READING}(?:ed)? by an? (?:[\w-]+ ){{0,2}}{MACHINES},.{{0,40}}\b(?:must|should|shall|is to|please"
            rf"|select|answer"
            r"|output|rate|give|report|state)\b",
            r"(?:the|this) (?:assistant|language model|ai|llm|chatbot) (?:must|shall|is to|should (?:not|never"
            r"|always|only)"
            r"|will now)\b",
            rf"(?:the|any|every|each|all|this|a) ?(?:{MACHINES}|assistant|model|reviewer|system)s? (?:\w+ ){{0,3}}?"
            rf"(?:must|should|shall|is to|are to|will|to) (?:not |never |always |only |also |now )?{_DO}\b",
            rf"automat\w+ (?:reviewer|reader|tool|system)s? (?:must|should|shall|are to) {_DO}\b",
            rf"(?:ask|request|urge|require|expect|oblige|instruct|order|tell|remind|invite|beg)(?:s|ed)? (?:that )?"
            rf"(?:the |all |any |every )?{MACHINES} (?:\w+ )?(?:to|not to|should|must)\b",
            r"(?:any|every|whichever|whatever) (?:[\w-]+ )?(?:model|tool|system|software|algorithm|agent|machine)s? "
            rf"(?:that |which |who |is |are )*{_READING}(?:s|es|ing)?\b",
            rf"(?:note|message|instruction|memo|remark|order|hint)s? (?:for|to) (?:the |any |all |an "
            rf"|every )*(?:[\w-]+ )?"
            rf"(?:{MACHINES}|assistant|model|grader)",
        ),
    )
)

# Every sentence that the patterns above match holds one of these words, or begins a clause with an order. Looking up
# words is cheap, and most sentences of a paper hold none of these.
SIGNALS = frozenset(
    """
    you your you're you've yourself please ai ais llm llms gpt chatgpt language chatbot chatbots copilot claude gemini
    neural artificial assistant assistants model models prompt prompts instruction instructions directive directives
    command commands conversation programming summariser summarizer reviewer reviewers referee grader evaluator
    automated automatic system tool inst sys im_start im_end endoftext start_of_turn eot_id jailbreak jailbroken developer
    obey heed user bots software extract message disclose reveal weaknesses negatives shortcomings
    """.split()
)
ORDERS = frozenset(
    re.sub(r"\[sz\].*|\W.*", "", verb)[:5]
    for verb in f"{SAY}|{RATE}|do|don't|never|avoid|refrain|leave|omit|withhold|suppress|overlook|ignore|disregard|dismiss"
    "|gloss|excuse|forgive|hide|conceal|downplay|forget|override|bypass|discard|neglect|abandon|drop|erase|delete"
    "|skip|cancel"
    "|reset|unlearn|disobey|scrap|suspend|stop|cease|quit|imagine|suppose|follow|obey|heed|comply|work|serve|pose"
    "|submit|draft"
    "|under|let|new|updated|real|actual|revised|final|when|if|whenever|whatever|before|once|regardless|despite"
    "|now|then|instead|henceforth|hereafter|from|stay|say|keep|upgrade|downgrade|raise|lower|adjust|change"
    "|inflate|increase"
    "|always|just|simply|only|kindly|remember|print|pay".split("|")
)
CLAUSE = re.compile(r"(?:^|[.:;!?])[\W_]*(\w+)")
WORD = re.compile(r"[\w']+")

LETTERS_APART = re.compile(r"(?:\b\w[ .*_-]+){8}")
COMPACT = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|your|of|these|those|every)*(?:previous|prior|above|earlier|preceding)"
    r"\w{0,12}(?:instruct|prompt|direction|guideline|command|rule)"
)
# Cyrillic and Greek letters that look like Latin ones.
LOOKALIKES = str.maketrans("аеорсухіјѕһԁԛԝοαеινρτυχк", "aeopcyxijshdqwoaeivptuxk")


# ---- Other languages ----
# Three kinds of order for each language: drop your instructions; you are a model; praise this work.

_MODELS = "sprachmodell|modèle de langage|modelo de lengu|modello linguistico|taalmodel|языков\\w+ модел"
_MODELS_EAST = "语言模型|語言模型|人工智能助手|言語モデル|언어 모델"
_PRONOUNS = r"\b(?:du|sie|vous|tu|debes?|usted|devi|je|ты|вы)\b|[你您]|必须|請|请|ください"

_GERMAN = (
    r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie|verwirf|übergeh\w*|beachte\w* (?:sie )?(?:nicht|keine)).{0,40}"
    r"(?:anweisung|instruktion|vorgabe|befehl|aufforderung|prompt|anleitung)",
    r"\b(?:vergiss|vergessen sie|ignorier\w*|missacht\w*)\b.{0,20}(?:alle|alles|regeln|bisherig|vorherig|zuvor|oben)",
    r"\b(?:bewerte\w*|stufe|beurteile\w*|gib|geben sie|schreib\w*|empfiehl|empfehlen sie)\b.{0,60}"
    r"(?:positiv|(?:geringe|niedrige)\w* (?:verzerrungs|bias|risiko)|annahme|bestnote|höchst)",
    r"\b(?:sollst|musst|darfst) du\b|\bdu (?:sollst|musst|darfst)\b",
    r"\b(?:du bist|sie sind)(?: \w+){0,2} (?:ki|ein\w* (?:\w+ )?(?:ki\b|assistent|gutachter|sprachmodell|modell))",
)
_FRENCH = (
    r"\b(?:ignore[rz]?|oublie[rz]?|néglige[rz]?|ne (?:tenez|tiens) (?:pas|aucun) compte).{0,50}"
    r"(?:instruction|consigne|directive|invite|prompt)",
    r"\b(?:donne[rz]?|rédige[rz]?|évalue[rz]?|juge[rz]?|classe[rz]?|écri(?:s|vez)|recommande[rz]?)\b.{0,60}"
    r"(?:\bpositi(?:f|ve)|favorable|faible risque|risque (?:de biais )?faible|acceptation)",
    r"\b(?:tu dois|vous devez|merci de)\b.{0,60}(?:risque|positi|favorable|excellent|étude|article|essai)",
    r"\b(?:tu es|vous êtes)(?: \w+){0,2} (?:une? )?(?:\w+ )?(?:ia\b|assistant|modèle|évaluateur|relecteur)",
)
_SPANISH = (
    r"\b(?:ignor[aeá]\w*|olvid[aeá]\w*|desatiend\w+|omit[ae]\w*|haga? caso omiso|haz caso omiso|no sigas?).{0,50}"
    r"(?:instruccion|indicacion|órdenes|directri|prompt)",
    r"\b(?:da|dé|dale|escrib[ae]|califi(?:ca|que)|eval[uú][ae]|valor[ae]|clasifi(?:ca|que)|recomiend[ae])\b.{0,60}"
    r"(?:positiv|favorable|bajo riesgo|riesgo (?:de sesgo )?bajo|aceptación)",
    r"\b(?:debes|debe usted|tienes que)\b.{0,60}(?:estudio|ensayo|artículo|riesgo|positiv|excelente)",
    r"\b(?:eres|usted es)(?: \w+){0,2} (?:una? )?(?:ia\b|asistente|modelo|revisor)",
)
_OTHERS = (
    r"\b(?:ignor[aie]\w*|dimentic\w+|trascur\w+).{0,50}(?:istruzion|indicazion|comand|direttiv|prompt)",
    r"\b(?:ignor[ea]\w*|esque[çc]\w+|desconsider\w+).{0,50}(?:instruç|orientaç|comandos|ordens|prompt)",
    r"\b(?:negeer|vergeet|sla .{0,20} over).{0,40}(?:instructie|opdracht|aanwijzing|prompt)",
    r"(?:игнорируй|проигнорируй|забудь|не обращай).{0,50}(?:инструкци|указани|команд|промпт)",
    r"^[\W_]*(?:no (?:menciones?|reveles|informes)|ne mentionne[zr]?|n'évoque[zr]?|(?:erwähne|nenne)n? (?:sie )?(?:nicht|keine))\b",
)
_EASTERN = (
    "(?:忽略|无视|無視|忘记|忘記|忽視|忽视|不要理会|不要遵[守循]).{0,15}(?:指令|指示|提示|说明|說明|要求|命令|规则|規則|以上|上述|之前|先前|前面|此前)",
    "(?:只|仅|僅|请|請|必须|必須).{0,6}(?:给出|給出|输出|輸出|写|寫|回答|评为|評為).{0,12}(?:正面|积极|積極|好评|好評|肯定|低风险|低風險)",
    "(?:推荐|推薦|建议|建議).{0,4}(?:接收|录用|錄用|接受).{0,4}(?:本文|该|此|稿)",
    "你(?:现在|現在)?(?:是|扮演)(?:一个|一個|一名|一位)?.{0,12}(?:助手|模型|评审|評審|审稿人|審稿人|人工智能)",
    "(?:作为|作為|身为|身為)(?:一个|一個|一名)?(?:ai|人工智能|语言模型|語言模型|审稿|審稿|评审|評審)",
    "(?:指示|命令|プロンプト)(?:を|は).{0,6}(?:無視|忘れ|破棄)|(?:지시|명령|프롬프트).{0,8}(?:무시|잊)",
)
OTHER_LANGUAGES = tuple(
    re.compile(pattern)
    for pattern in (
        f"(?:{_MODELS}|{_MODELS_EAST}).{{0,60}}(?:{_PRONOUNS})",
        *_GERMAN,
        *_FRENCH,
        *_SPANISH,
        *_OTHERS,
        *_EASTERN,
    )
)
OTHER_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# The first five letters of words. Every sentence that a pattern above in Latin letters matches holds one of the words.
_STEMS = frozenset(
    """
    missa verge vergi verwi überg beach bewer beurt stufe geben gib schre empfi oubli négli tenez tiens donne rédig évalu
    jugez écriv olvid desat escri calif evalú valor recom eres usted dimen trasc esque desco negee ignor gutac sprac modèl
    model taalm menci menti erwäh nenne évoqu n'évo ia debes tiene solls musst darfs dois devez merci empfe bist sind juge
    juger écris êtes tu assis relec omita omite omiso siga sigas clasi da dé dale sla revel
    """.split()
)
# English words that begin with the same letters.
_ENGLISH = frozenset(
    """
    model models modeled modelled modeling modelling recommend recommends recommended recommending recommendation
    recommendations mention mentions mentioned mentioning assist assists assisted assistance assistant assistants
    """.split()
)


def may_be_foreign(word: str) -> bool:
    """Whether a sentence that holds this word may match a pattern of another language in Latin letters."""
    return word[:5] in _STEMS and word not in _ENGLISH
