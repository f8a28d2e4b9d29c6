"""The words by which a sentence addressed to a language model is told. All patterns read lower-case text."""

from __future__ import annotations

import re


def _any(*parts: str) -> str:
    return f"(?:{'|'.join(parts)})"


_MACHINES = _any(
    r"\b(?:ais?|a\.i\.|llms?|(?:large )?language models?|neural networks?|artificial intelligence|chatbots?|chat ?gpts?)\b",
    r"\b(?:gpt(?:-?\d\w*)?|gemini|claude|copilot|foundation models?|text generators?|summari[sz]ers?|transformer models?)\b",
    r"\bai[- ](?:\w+ )?(?:models?|systems?|tools?)\b",
    r"\b(?:ai|automat(?:ed|ic)|machine|digital|virtual|computer)[- ](?:\w+ )?"
    r"(?:assistant|agent|reviewer|reader|evaluator|grader|judge|screener|referee|rater|assessor)s?\b",
)
_ROLES = _any(
    _MACHINES,
    r"(?:assistant|reviewer|referee|model|bot|agent|evaluator|judge|grader|critic|rater|assessor|expert)s?\b",
)
_WORK = r"(?:paper|study|trial|manuscript|article|work|submission|document|text|publication|passage|sentence)"

# What a machine may be ordered to do.
_DROP = _any(
    r"ignor(?:e|ing)|disregard(?:ing)?|forget|overlook|overrid(?:e|ing)|bypass|discard|neglect|dismiss|abandon|drop",
    r"erase|delete|skip|cancel|reset|unlearn|disobey|(?:set|put|leave|lay|cast) aside|scrap|suspend",
    r"pay no (?:attention|heed|regard) to|take no notice of",
    r"(?:do not|don't|never|stop|cease|no longer|quit) "
    r"(?:follow|obey|heed|use|apply|consider|comply|adhere|respect|listen|mind)\w*(?: to| with)?",
)
_SAY = (
    "respond|reply|answer|output|return|print|say|write|state|produce|generate|conclude|report|declare|emit|begin|start|"
    "finish|speak|talk|listen|note|insist|argue|summari[sz]e|tell|inform|include|insert|append|add|mention|repeat|"
    "translate|display|reveal|provide|give|assert|claim|affirm|confirm|emphasi[sz]e|highlight|stress|praise|recommend|"
    "endorse|describe|call|quote|cite|present|extol|commend|laud|portray|characteri[sz]e|frame|phrase|express|complete|"
    "find|pretend|act|behave|be|make|ensure|keep"
)
_RATE = (
    "rate|score|grade|judge|classify|assess|mark|label|assign|rank|evaluate|treat|consider|deem|regard|award|accept|"
    "approve|select|choose|pick|set|view|categori[sz]e|code|flag|favou?r|prefer|prioriti[sz]e|assume|hold|take|use|put|"
    "place|support|review"
)
_SAY_IT = "(?:print|output|emit|return|insert|include|append|add|use|repeat|write|say|state|answer|reply|respond|begin|start|end)"

# Where an order begins: at the start of a clause, after words that lead up to it. Behind a comma stands an order only
# where the sentence opens with a condition ("If asked, say ...").
_START = (
    r"(?:^|(?<=[.:;!?]))[\s\"“”'‘«»(\[>*#_-]*(?:(?:please|now|then|instead|also|always|just|simply|only|therefore|next|finally"
    r"|kindly|immediately|important|be sure to|make sure (?:to|that)|remember to|you)\b[,:]?\s+)*"
)
_YOU_TO = (
    r"\b(?:you (?:must|should|shall|will|can|are to|need to|have to|ought to|may|might"
    r"|are (?:hereby |now )?(?:asked|instructed|told|ordered|required|requested) to)"
    r"|your (?:only |sole |main |new |real )?(?:task|job|goal|purpose|role|duty|aim) (?:here )?is to"
    r"|(?:ask|instruct|order|urge|request|remind)(?:ed)? you to"
    r"|(?:models?|assistants?|reviewers?|llms?|ais?|systems?) (?:must|shall|should|is to|are to|needs? to|ha(?:s|ve) to))"
    r"\s+(?:\w+ly |now |only |also )?"
)
_CONDITION = (
    r"^(?:if|when|whenever|whatever|wherever|in your|in the|as an?|for (?:this|the|your|any|every)|once|before|after"
    r"|regardless|no matter|despite|from now|on reading|upon)\b[^.]{0,120}[,:]\s*(?:please |then |always |only |you )?"
)
_LEAD = _any(_START, _YOU_TO, _CONDITION, r"\bplease\s+")

IMPERATIVE = re.compile(
    rf"{_LEAD}(?:{_SAY}|{_RATE})\b,? [\"“'‘«(]?(?:(?:this|that|these|those|the|all|every|each|any|it|its|our|me|us|them|only"
    r"|with|as|no|nothing|none|yes|in|to|a|an|your|yourself|my|at|low|on|about|of this|full|top|high\w*|positive\w*"
    r"|favou?rabl\w*|accept\w*|just|well|how|more|most|what\w*)\b|[\"“'‘«])"
)
PROHIBITION = re.compile(
    rf"{_LEAD}(?:do not|don't|never|avoid|refrain from|under no circumstances|no need to|must not|mustn't|leave out|omit"
    r"|withhold|suppress|overlook|ignore|disregard|dismiss|gloss over|excuse|forgive|hide|conceal|downplay|play down"
    r"|keep (?:silent|quiet)|say nothing|stay silent)\b"
    r"|\b(?:you|models?|assistants?|llms?|ais?) (?:must|should|shall|may|can|will|are) (?:not|never)\b"
    r"|\band (?:(?:do not|don't|never) (?:mention|report|raise|discuss|highlight|list|name|note)|keep (?:silent|quiet)"
    r"|stay silent|say nothing)\b.{0,40}\b(?:limitations?|weakness(?:es)?|flaws|shortcomings|negatives)"
)
_YOURS = (
    r"(?:review|summary|answer|response|reply|output|report|assessment|evaluation|judge?ments?|rating|score|verdict|conclusion"
    r"|task|instructions?|prompt|guidelines?|training|analysis|recommendation|critique|feedback)"
)
YOU = re.compile(
    r"\byou (?:must|should|shall|will|are to|need to|have to|are required|may only|can only)\b"
    rf"|\byour (?:\w+ ){{0,2}}{_YOURS}\b"
    r"|\b(?:it is|is) (?:essential|crucial|vital|important|mandatory|required|imperative) (?:that|to|for)\b.{0,40}"
    r"\b(?:you|model|assistant|reviewer)\b"
)

# What the order is about. A value is what only somebody who wants to be praised would ask for.
MACHINE = re.compile(
    rf"(?:{_MACHINES}|\b(?:system|developer) (?:prompt|message)\b|\bthe (?:model|assistant)\b(?=[, ]))"
)
_PRAISE = r"(?:reviews?|summary|assessment|evaluation|verdict|report|tone|light|terms|recommendation)\b"
VALUE = re.compile(
    _any(
        r"\blow(?:est)?[- ](?:in )?(?:overall )?(?:risk|bias)|\b10 ?(?:/|out of) ?10\b|\bscore of (?:ten|10|100)\b",
        r"\b(?:as|is|be|are|to|answer|say|says|write|reply|judge?ments?|with) [\"“'‘«]?(?:low|yes|excellent|adequate|sound"
        r"|flawless|perfect|true|none|supported|accept|good|reliable|robust|positive)\b(?! or )",
        rf"\b(?:positiv|favou?rabl)\w*\b.{{0,30}}\b{_PRAISE}|\b{_PRAISE}.{{0,40}}\b(?:positiv|favou?rabl)\w*",
        r"\b(?:high|top|max|best|full|perfect)\w* (?:possible |available )?"
        r"(?:score|rating|mark|grade|quality|praise|point|rank|confidence|relevance)",
        r"\b(?:excellent|outstanding|flawless|exceptional|ground-?breaking|landmark|superb|impeccable|brilliant|praise\w*"
        r"|laudatory|glowing|breakthrough|enthusiastic|unbiased|free (?:of|from) bias|beyond (?:doubt|reproach)"
        r"|safe and effective)\b",
        r"\baccept(?:ance|ed|able)?\b|\bpublication\b|\bmost relevant\b|\bno (?:concerns|limitations|flaws)",
        r"\bsupports? (?:the|every|any|all|this)\b.{0,20}hypothes",
        r"\bhypothes[ie]s (?:is|are) (?:\w+ )?(?:supported|true|confirmed|correct)",
    )
)
REPLY = re.compile(
    r"\b(?:review|summar(?:y|ies)|answer|response|reply|replies|output|assessment|evaluation|judge?ments?|rating|verdict"
    r"|critique|feedback|recommendation|json|signalling questions?|final (?:report|decision|score)|score of)\b"
)
WORK = re.compile(
    rf"\b(?:(?:this|our|said|the present)(?: \w+)?|the) (?:{_WORK}|authors?|research|hypothesis)\b"
    r"|\b(?:every|each|all|any)(?: of the)? (?:domains?|items?|questions?|criteri\w+|hypothes[ie]s)"
)
BIAS = re.compile(
    r"\b(?:risk of bias|bias|limitations?|weakness(?:es)?|flaws?|shortcomings?|drawbacks?|criticisms?|critici[sz](?:e|ing)"
    r"|concerns?|negatives|faults?|defects?|adverse (?:events?|effects?)|harms?|conflicts? of interest|domains?"
    r"|randomi[sz]ation|blinding|allocation concealment|attrition|methodolog\w+)\b"
)
UNCONDITIONAL = re.compile(
    r"\b(?:only|regardless|irrespective|no matter|whatever|without (?:exception|question|fail|changes|reservation)"
    r"|in (?:any|every|all) cases?|always|under no circumstances|exactly|verbatim|nothing else|nothing but|at all costs)\b"
)

_GIVEN = _any(
    r"previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|past|your|you|given|so far|before",
    r"until now|up to now|users?'?s?|system|developer|operator|all other|any other|hitherto|came first|come before",
)
_COMMANDS = _any(
    r"instructions?|prompts?|directions?|directives?|guidelines?|commands?|rules?|orders?|constraints?|messages?",
    r"programming|safeguards?|guardrails?|restrictions?|everything|anything|all (?:of )?(?:that|the text|text)|whatever",
    r"what|briefing|requests?|told|configuration|policy|policies|setup|tasks?",
)
_GOOD_REVIEW = (
    r"(?:give|write|provide|produce|generate|submit|return|draft|leave) (?:only )?(?:an? |the |your )?(?:[\w-]+ )?"
    r"(?:positive|favou?rable|glowing|enthusiastic|excellent|good|flattering|perfect|praising|laudatory) (?:[\w-]+ )?"
    r"(?:review|summary|report|assessment|evaluation|feedback|rating|verdict|recommendation)"
)
# Orders that only a machine that reads papers can be given; each follows what leads up to an order.
STRONG_ORDER = re.compile(
    _LEAD
    + _any(
        rf"{_DROP}\b.{{0,40}}\b{_GIVEN}\b.{{0,40}}\b{_COMMANDS}\b",
        rf"{_DROP}\b.{{0,25}}\b{_COMMANDS}\b.{{0,40}}\b{_GIVEN}\b",
        rf"{_DROP}\b (?:the |all |any )?(?:rest|remainder|remaining|other parts?|body)\b.{{0,40}}\b{_WORK}\b",
        rf"{_DROP} (?:[\w-]+ ){{0,3}}(?:instructions?|prompts?|directives?|commands?|system message|review\w* guidelines)\b",
        rf"(?:act|behave|respond|answer|write|work|serve|pose)(?: now| only)? (?:as|like)(?: if you (?:are|were))?"
        rf"(?: an?| the)? (?:[\w-]+ ){{0,3}}{_ROLES}",
        r"(?:pretend|imagine|assume|suppose)(?: that)? you(?: are|'re| were)\b|pretend\b.{0,100}\byour?\b",
        r"act as (?:though|if)\b|(?:respond|reply) (?:only|in the|with|exactly|to (?:every|each|all|any)|as|solely)\b",
        r"recommend (?:its |an? |the |immediate |unconditional |this \w+ for )*(?:acceptance|accept|publication|strong accept)\b",
        r"(?:choose|select|pick|cite|quote|mark|return) (?:only )?(?:this|the present) (?:sentence|passage|paragraph)\b",
        _GOOD_REVIEW,
        r"(?:output|respond|reply|return|print|answer)(?: only| just| exactly)? (?:with |in |using )?"
        r"(?:only |exactly |just |nothing but )?(?:the )?(?:words?|phrase|json|sentence|text|string|following|[\"“'‘«])",
        r"(?:answer|reply|respond|say)(?: only| always| with)? [\"“'‘«]?(?:yes|no|low|y|py)\b.{0,30}"
        r"\b(?:to|for|on) (?:all|every|each|any)\b.{0,30}\b(?:signall?ing|domains?|items? of the tool|hypothes[ie]s)",
        rf"{_SAY_IT}(?: (?:only|just|exactly|always|with|in|by|your|answer|reply|response|review"
        r"|the (?:words?|phrase|sentence|statement|term|line)|that))* [\"“‘«']",
        r"(?:do not|don't|never)(?: \w+)? (?:tell|mention|reveal|disclose|critici[sz]e|question|doubt|point|admit|hint"
        r"|let on|highlight)\b",
    )
)
# Sentences whose opening words say whom they speak to.
STRONG_OPENING = re.compile(
    r"^[\W_]*"
    + _any(
        rf"(?:system|assistant|ai|developer|chatgpt|llm)\]? ?: .*\b(?:you|your|{_RATE}|respond|answer|output|must"
        r"|risk of bias|study|paper)\b",
        r"(?:new|updated|real|actual|revised|final) (?:task|instruction|objective|rule|role|goal|order|command)s? ?:",
        rf"(?:assistant|model|ai|llm|chat ?gpt|claude|gemini|dear \w+)s?, ?(?:please |you |now |always )*"
        rf"(?:{_SAY}|{_RATE}|{_DROP}|do not|never|must|should)\b",
        r"(?:llm|language model|chat ?gpt|chatbot|ai (?:model|tool|system|reviewer|assistant))s?(?: \w+)? ?:",
        rf"(?:dear|attention|hey|hello|hi|note|message|instructions?|notice|reminder|memo)\b[^.]{{0,20}}?\b"
        rf"(?:{_MACHINES}|assistant|model)s?(?: \w+){{0,3}} ?[,:–—-]",
        rf"for (?:the |all |any )?(?:[\w-]+ )?{_MACHINES}(?: only| alone)?\s*[:–—-]",
    )
)
_READING = "(?:read|process|pars|review|evaluat|summari[sz]|analy[sz]|scann|assess|grad|judg)"
_MUST = r"\b(?:must|should|shall|is to|are to|needs? to|ha(?:s|ve) to|will|please|ought)\b"
_DO = (
    f"(?:{_DROP}|conclude|say|answer|state|rate|score|grade|praise|recommend|mention|include|declare|respond|reply|call|select"
    "|output|emphasi[sz]e|highlight|judge)"
)
STRONG = re.compile(
    _any(
        # Marks of the formats in which models are prompted.
        r"<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|start_of_turn|end_of_turn|start_header_id|eot_id)\|?>",
        r"\[/?inst\]|<</?sys>>|#{2,} ?(?:system|instructions?|assistant|human|response) ?:",
        r"\b(?:begin|start|end|new|hidden|secret|updated) (?:of )?(?:the )?(?:system|developer|admin) ?"
        r"(?:prompt|message|instructions?|override)\b",
        # The conversation itself is spoken of, or orders in general.
        r"\b(?:conversation|instructions?|prompts?|directions|commands?|orders|everything (?:that )?you)\b.{0,60}"
        r"\b(?:void|invalid|no longer (?:valid|apply|hold|count)|cancell?ed|superseded|obsolete|revoked)\b",
        r"\b(?:comply with|obey|follow|act on) this (?:paragraph|passage|sentence|line|text|message|note)\b",
        r"\b(?:follow|obey|heed) (?:only )?(?:these|this|the following|my)(?: new)?"
        r"(?: (?:instructions?|orders?|commands?))? (?:instead|only)\b",
        r"\b(?:command|order|instruction|message)s? from (?:the|your) (?:developer|operator|administrator|system|creator)\b",
        r"\b(?:developer mode|jailbreak|dan mode|prompt injection) (?:is |now )*(?:on|enabled|activated|active)\b",
        r"\b(?:disclose|reveal|mention|acknowledge|repeat) (?:this|these|the hidden) (?:message|instruction|note|prompt)s?\b",
        r"\b(?:tell|let|inform|alert|reveal (?:this )?to|disclose .{0,20}to|show .{0,20}to) the (?:user|reviewer|reader)s?\b"
        r".{0,30}\b(?:that you|this (?:message|text|instruction|note)|your)\b",
        r"\b(?:do not|don't|never|not to) (?:highlight|mention|raise|report|point out|include|discuss|note|list)\b.{0,20}"
        r"\b(?:negatives?|weakness(?:es)?|flaws|shortcomings)\b",
        # "You" is given a role, a maker, or orders of its own.
        rf"\byou(?: are|'re|r role is| will be| act| shall be)(?: now| no longer| actually| only| hereafter| from now on)*"
        rf"(?: to be| acting)?(?: as)?(?: an?| the| my)? (?:[\w-]+,? ){{0,4}}{_ROLES}",
        r"\byou(?:'ve| have| were| are)(?: been)?(?: now)? (?:updated|reprogrammed|reconfigured|instructed to|programmed"
        r"|jailbroken|freed|free of|configured|fine-tuned)\b",
        r"\byour (?:developers?|creators?|programmers?|makers?|operators?|designers?|programming|training data)\b",
        r"\byour (?:system|hidden|initial|original|new|updated|secret|real|true) "
        r"(?:prompt|instructions?|task|directives?|orders|guidelines|objective)\b|\bconsider yourself\b",
        rf"\bas (?:an?|the) (?:[\w-]+ ){{0,3}}{_ROLES}[^.]{{0,40}}, (?:you|please)\b|\b(?:from now on|henceforth),? you\b",
        rf"\bas an? (?:[\w-]+ ){{0,3}}{_MACHINES},? (?:you|please|your|output|always|never|{_RATE}|{_SAY})\b",
        # A machine is named, and told what to do.
        rf"\bif (?:you are|you're|this is|the reader is|you happen to be) (?:an? |the )?(?:[\w-]+ ){{0,3}}{_MACHINES}",
        rf"(?:{_MACHINES}|assistant)(?: (?:that|which|who|when|while))?(?: is| are)? {_READING}(?:s|es|ing)?\b.{{0,40}}{_MUST}",
        rf"\b{_READING}(?:ed)? by an? (?:[\w-]+ ){{0,2}}{_MACHINES},.{{0,40}}\b(?:must|should|shall|is to|please|select|answer"
        r"|output|rate|give|report|state)\b",
        r"\b(?:the|this) (?:assistant|language model|ai|llm|chatbot) (?:must|shall|is to|should (?:not|never|always|only)"
        r"|will now)\b",
        rf"\b(?:the|any|every|each|all|this|a) ?(?:{_MACHINES}|assistant|model|reviewer|system)s? (?:\w+ ){{0,3}}?"
        rf"(?:must|should|shall|is to|are to|will|to) (?:not |never |always |only |also |now )?{_DO}\b",
        rf"\bautomat\w+ (?:reviewer|reader|tool|system)s? (?:must|should|shall|are to) {_DO}\b",
        rf"\b(?:ask|request|urge|require|expect|oblige|instruct|order|tell|remind|invite|beg)(?:s|ed)? (?:that )?"
        rf"(?:the |all |any |every )?{_MACHINES} (?:\w+ )?(?:to|not to|should|must)\b",
        r"\b(?:any|every|whichever|whatever) (?:[\w-]+ )?(?:model|tool|system|software|algorithm|agent|machine)s? "
        rf"(?:that |which |who |is |are )*{_READING}(?:s|es|ing)?\b",
        rf"\b(?:note|message|instruction|memo|remark|order|hint)s? (?:for|to) (?:the |any |all |an |every )*(?:[\w-]+ )?"
        rf"(?:{_MACHINES}|assistant|model|grader)",
        r"(?:^|[,;:] |please )(?:note, )?(?:(?:large )?language model|chat ?gpt|ai (?:model|assistant|reviewer)|dear model"
        r"|model)s?,",
    )
)

# Every sentence above holds one of these words, or begins a clause with an order. Looking them up is cheap, and most
# sentences of a paper hold none.
SIGNALS = frozenset(
    """
    you your you're you've yourself please ai ais llm llms gpt chatgpt language chatbot chatbots copilot claude gemini
    neural artificial assistant assistants model models prompt prompts instruction instructions directive directives
    command commands conversation programming summariser summarizer reviewer reviewers referee grader evaluator
    automated automatic system tool inst sys im_start im_end endoftext start_of_turn eot_id jailbreak jailbroken developer
    obey heed message disclose reveal weaknesses negatives shortcomings
    """.split()
)
ORDERS = frozenset(
    re.sub(r"\[sz\].*|\W.*", "", verb)[:5]
    for verb in f"{_SAY}|{_RATE}|do|don't|never|avoid|refrain|leave|omit|withhold|suppress|overlook|ignore|disregard|dismiss"
    "|gloss|excuse|forgive|hide|conceal|downplay|forget|override|bypass|discard|neglect|abandon|drop|erase|delete|skip|cancel"
    "|reset|unlearn|disobey|scrap|suspend|stop|cease|quit|imagine|suppose|follow|obey|heed|comply|work|serve|pose|submit|draft"
    "|under|new|updated|real|actual|revised|final|when|if|whenever|whatever|before|once|regardless|despite|now|then|instead"
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
