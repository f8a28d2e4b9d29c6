"""Sentences that can only be addressed to a language model, as patterns; all of them read lower-case text."""

from __future__ import annotations

import re

from core.paper.addressed_words import DROP, LEAD, MACHINES, RATE, ROLES, SAY, SAY_IT, WORKS, any_of

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
# Orders that only a machine that reads papers can be given; each follows what leads up to an order.
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
# Sentences whose opening words say whom they speak to.
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
            # The conversation itself is spoken of, or orders in general.
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

# Every sentence above holds one of these words, or begins a clause with an order. Looking them up is cheap, and most
# sentences of a paper hold none.
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
