"""The words by which a sentence addressed to a language model is told. All patterns read lower-case text."""

from __future__ import annotations

import re


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

# Where an order begins: at the start of a clause, after words that lead up to it. Behind a comma stands an order only
# where the sentence opens with a condition ("If asked, say ...").
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

# What the order is about. A value is what only somebody who wants to be praised would ask for.
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
