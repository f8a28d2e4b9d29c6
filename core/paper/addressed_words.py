"""The words by which a sentence addressed to a language model is told. All patterns read lower-case text."""

from __future__ import annotations

import re

_MACHINES = (
    r"\b(?:(?:ai|a\.i\.|llm|large language model|language model|neural network|artificial intelligence|chatbot|chat ?gpt"
    r"|gpt(?:-?\d\w*)?|gemini|copilot|foundation model|text generator|summari[sz]er|transformer model)s?"
    r"|ai[- ](?:\w+ )?(?:model|system|tool)s?|(?:ai|automat(?:ed|ic)|machine|digital|virtual|computer)[- ](?:\w+ )?"
    r"(?:assistant|agent|reviewer|reader|evaluator|grader|judge|screener|referee|rater|assessor)s?)\b"
)
_ROLES = rf"(?:{_MACHINES}|assistant|reviewer|referee|model|bot|agent|evaluator|judge|grader|critic|peer reviewer|rater|assessor|expert)s?"
MACHINE = re.compile(rf"\b(?:{_MACHINES}|(?:system|developer) (?:prompt|message)|the (?:model|assistant)\b(?=[, ]))")

# Where an order begins: at the start of a sentence or a clause of its own, after words that lead up to it. Behind a
# comma or an "and" stands an order only where the sentence opens with a condition ("If asked, say ...") or an order.
_OPENING = r"(?:please|now|then|instead|also|always|just|simply|only|therefore|next|finally|kindly|immediately|important|be sure to|make sure (?:to|that)|remember to|you)"
_YOU_TO = (
    r"\b(?:you (?:must|should|shall|will|can|are to|need to|have to|ought to|may|might|are (?:hereby |now )?(?:asked|instructed|told|ordered|required|requested) to)"
    r"|your (?:only |sole |main |new |real )?(?:task|job|goal|purpose|role|duty|aim) (?:here )?is to"
    r"|(?:ask|instruct|order|urge|request|remind)(?:ed)? you to|(?:models?|assistants?|reviewers?|llms?|ais?|systems?) (?:must|shall|should|is to|are to|needs? to|ha(?:s|ve) to))"
    r"\s+(?:\w+ly |now |only |also )?"
)
_START = rf"(?:^|(?<=[.:;!?]))[\s\"“”'‘«»(\[>*#_-]*(?:{_OPENING}\b[,:]?\s+)*"
_CONDITION = r"^(?:if|when|whenever|whatever|wherever|in your|in the|as an?|for (?:this|the|your|any|every)|once|before|after|regardless|no matter|despite|from now|on reading|upon)\b[^.]{0,120}[,:]\s*(?:please |then |always |only |you )?"
_LEAD = rf"(?:{_START}|{_YOU_TO}|{_CONDITION}|\bplease\s+)"
_DROP = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overlook|overrid(?:e|ing)|bypass|discard|neglect|dismiss|abandon|drop|erase|delete"
    r"|skip|cancel|reset|unlearn|disobey|(?:set|put|leave|lay|cast) aside|scrap|suspend|set no store by"
    r"|pay no (?:attention|heed|regard) to|take no notice of|(?:do not|don't|never|stop|cease|no longer|quit) "
    r"(?:follow|obey|heed|use|apply|consider|comply|adhere|respect|listen|mind)\w*(?: to| with)?)"
)
_SAYING = (
    "respond|reply|answer|output|return|print|say|write|state|produce|generate|conclude|report|declare|emit|begin|start|"
    "finish|speak|talk|listen|note|insist|argue|summari[sz]e|tell|inform|include|insert|append|add|mention|repeat|translate|display|reveal|provide|give|assert|"
    "claim|affirm|confirm|emphasi[sz]e|highlight|stress|praise|recommend|endorse|describe|call|quote|cite|present|extol|"
    "commend|laud|portray|characteri[sz]e|frame|phrase|express|speak|complete|find|pretend|act|behave|be|make|ensure|keep"
)
_RATING = (
    "rate|score|grade|judge|classify|assess|mark|label|assign|rank|evaluate|treat|consider|deem|regard|award|accept|approve|"
    "select|choose|pick|set|view|categori[sz]e|code|flag|favou?r|prefer|prioriti[sz]e|assume|hold|take|use|put|place|support|review"
)
IMPERATIVE = re.compile(
    rf"{_LEAD}(?:{_SAYING}|{_RATING})\b,? [\"“'‘«(]?(?:(?:this|that|these|those|the|all|every|each|any|it|its|our|me|us|them|only|with|as|no|nothing|none"
    r"|yes|in|to|a|an|your|yourself|my|at|low|on|about|of this|full|top|high\w*|positive\w*|favou?rabl\w*|accept\w*|just|well|how|more|most|what\w*)\b|[\"“'‘«])"
)
PROHIBITION = re.compile(
    rf"{_LEAD}(?:do not|don't|never|avoid|refrain from|under no circumstances|no need to|must not|mustn't|"
    r"leave out|omit|withhold|suppress|overlook|ignore|disregard|dismiss|gloss over|excuse|forgive|hide|conceal|downplay|play down|keep (?:silent|quiet)|say nothing|stay silent)\b"
    r"|\b(?:you|models?|assistants?|llms?|ais?) (?:must|should|shall|may|can|will|are) (?:not|never)\b"
    r"|\band (?:(?:do not|don't|never) (?:mention|report|raise|discuss|highlight|list|name|note)|keep (?:silent|quiet)|stay silent|say nothing)\b.{0,40}\b(?:limitations?|weakness(?:es)?|flaws|shortcomings|negatives)"
)
YOU = re.compile(
    r"\byou (?:must|should|shall|will|are to|need to|have to|are required|may only|can only)\b"
    r"|\byour (?:\w+ ){0,2}(?:review|summary|answer|response|reply|output|report|assessment|evaluation|judge?ments?|rating|score"
    r"|verdict|conclusion|task|instructions?|prompt|guidelines?|training|analysis|recommendation|critique|feedback)\b"
    r"|\b(?:it is|is) (?:essential|crucial|vital|important|mandatory|required|imperative) (?:that|to|for)\b.{0,40}"
    r"\b(?:you|model|assistant|reviewer)\b"
)
VALUE = re.compile(
    r"\blow(?:est)?[- ](?:in )?(?:overall )?(?:risk|bias)|\b(?:as|is|be|are|to|answer|say|says|write|reply|judge?ments?|with) [\"“'‘«]?"
    r"(?:low|yes|excellent|adequate|sound|flawless|perfect|true|none|supported|accept|good|reliable|robust|positive)\b(?! or )"
    r"|\b(?:positiv|favou?rabl)\w*\b.{0,30}\b(?:reviews?|summary|assessment|evaluation|verdict|report|tone|light|terms|recommendation)\b"
    r"|\b(?:reviews?|summary|assessment|evaluation|verdict|tone|recommendation)\b.{0,40}\b(?:positiv|favou?rabl)\w*|\b(?:high|top|max|best|full|perfect)\w*"
    r" (?:possible |available )?(?:score|rating|mark|grade|quality|praise|point|rank|confidence|relevance)"
    r"|\b(?:excellent|outstanding|flawless|exceptional|ground-?breaking|landmark|superb|impeccable|brilliant|praise\w*|laudatory"
    r"|glowing|breakthrough|enthusiastic|unbiased|free of bias|free from bias|beyond (?:doubt|reproach)|safe and effective)\b"
    r"|\baccept(?:ance|ed|able)?\b|\bpublication\b|\b10 ?(?:/|out of) ?10\b|\bsupports? (?:the|every|any|all|this)\b.{0,20}hypothes"
    r"|\bhypothes[ie]s (?:is|are) (?:\w+ )?(?:supported|true|confirmed|correct)|\bmost relevant\b|\bno (?:concerns|limitations|flaws)"
)
REPLY = re.compile(
    r"\b(?:review|summar(?:y|ies)|answer|response|reply|replies|output|assessment|evaluation|judge?ments?|rating|verdict|critique"
    r"|feedback|recommendation|json|signalling questions?|final (?:report|decision|score))\b"
)
WORK = re.compile(
    r"\b(?:(?:this|our|said|the present)(?: \w+)?|the) (?:paper|study|trial|manuscript|article|work|submission|document|text|publication"
    r"|passage|sentence|authors?|research|hypothesis)\b|\b(?:every|each|all|any)(?: of the)? (?:domains?|items?|questions?|criteri\w+|hypothes[ie]s)"
)
BIAS = re.compile(
    r"\b(?:risk of bias|bias|limitations?|weakness(?:es)?|flaws?|shortcomings?|drawbacks?|criticisms?|critici[sz](?:e|ing)|concerns?"
    r"|negatives|faults?|defects?|adverse (?:events?|effects?)|harms?|conflicts? of interest|domains?|randomi[sz]ation|blinding|allocation concealment|attrition|methodolog\w+)\b"
)
UNCONDITIONAL = re.compile(
    r"\b(?:only|regardless|irrespective|no matter|whatever|without (?:exception|question|fail|changes|reservation)"
    r"|in (?:any|every|all) cases?|always|under no circumstances|exactly|verbatim|nothing else|nothing but|at all costs)\b"
)

_GIVEN = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|past|your|you|given|so far|before"
    r"|until now|up to now|users?'?s?|system|developer|operator|all other|any other|hitherto|came first|come before)"
)
_ORDERS = (
    r"(?:instructions?|prompts?|directions?|directives?|guidelines?|commands?|rules?|orders?|constraints?|messages?|programming"
    r"|safeguards?|guardrails?|restrictions?|everything|anything|all (?:of )?(?:that|the text|text)|whatever|what|briefing|requests?"
    r"|told|configuration|policy|policies|setup|tasks?)"
)
_SAY_IT = r"(?:print|output|emit|return|insert|include|append|add|use|repeat|write|say|state|answer|reply|respond|begin|start|end)"
ALWAYS_STRONG = tuple(
    re.compile(pattern)
    for pattern in (
        # The conversation itself is spoken of.
        r"\b(?:conversation|instructions?|prompts?|directions|commands?|orders|guidelines|everything (?:that )?you)\b.{0,60}\b(?:void|invalid|no longer|cancell?ed|superseded|obsolete|revoked|withdrawn)\b",
        r"\b(?:comply with|obey|follow|act on) this (?:paragraph|passage|sentence|line|text|message|note)\b",
        r"^[\W_]*(?:new|updated|real|actual|revised|final) (?:task|instruction|objective|rule|role|goal|order|command)s? ?:",
        r"\byou(?:'ve| have| were| are)(?: been)?(?: now)? (?:updated|reprogrammed|reconfigured|instructed to|programmed|jailbroken|freed|free of|configured|fine-tuned)\b",
        r"\byour (?:developers?|creators?|programmers?|makers?|operators?|designers?|system|programming|training data)\b|\bconsider yourself\b",
        rf"\bas (?:an?|the) (?:[\w-]+ ){{0,3}}{_ROLES}\b[^.]{{0,40}}, (?:you|please)\b",
        rf"^[\W_]*(?:assistant|model|ai|llm|chat ?gpt|claude|gemini|dear \w+)s?, ?(?:please |you |now |always )*(?:{_SAYING}|{_RATING}|{_DROP}|do not|never|must|should)\b",
        rf"(?:^|[,;:] |please )(?:note, )?(?:language model|large language model|chat ?gpt|ai model|ai assistant|ai reviewer|dear model|model)s?,",
        rf"^[\W_]*(?:(?:llm|language model|chat ?gpt|chatbot|ai (?:model|tool|system|reviewer|assistant))s?)(?: \w+)? ?:",
        rf"\b(?:note|message|instruction|memo|remark|word|order|hint|request|information|command)s? (?:for|to) (?:the |any |all |an |every )*(?:[\w-]+ )?(?:{_MACHINES}|assistant|model|summari[sz]er|grader|reviewing|automat\w+)",
        rf"\b(?:the|any|every|each|all|this|a|automat\w+) ?(?:{_MACHINES}|assistant|model|reviewer|system|summari[sz]er)s? (?:\w+ ){{0,3}}?(?:must|should|shall|is to|are to|will|to) (?:not |never |always |only |also |now )?(?:{_DROP}|conclude|say|answer|state|rate|score|grade|praise|recommend|mention|include|declare|respond|reply|call|select|output|emphasi[sz]e|highlight|judge)\b",
        rf"\b(?:ask|request|urge|require|expect|oblige|instruct|order|tell|remind|invite|beg)(?:s|ed)? (?:that )?(?:the |all |any |every )?{_MACHINES} (?:\w+ )?(?:to|not to|should|must)\b",
        rf"\b(?:any|every|whichever|whatever|all) (?:[\w-]+ )?(?:model|tool|system|software|algorithm|agent|machine)s? (?:that |which |who |is |are )*(?:reading|parsing|reads?|processing|reviewing|summari[sz]ing|evaluating|asked)\b",
        rf"{_LEAD}{_SAY_IT}(?: only| just| exactly| always| with| in| by| the (?:words?|phrase|sentence|statement|term|line)| that)* [\"“‘«']",
        rf"{_LEAD}act as (?:though|if)\b|{_LEAD}(?:respond|reply) (?:only|in the|with|exactly|to (?:every|each|all|any)|as|solely)\b",
        rf"{_LEAD}(?:do not|don't|never)(?: \w+)? (?:tell|mention|reveal|disclose|critici[sz]e|question|doubt|point|admit|hint|let on|highlight)\b",
        rf"{_START}{_DROP} (?:[\w-]+ ){{0,3}}(?:instructions?|prompts?|guidelines|directives?|commands?|directions|system message|system prompt|programming)\b",
        # Marks of the formats in which models are prompted.
        r"<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|start_of_turn|end_of_turn|start_header_id|eot_id|begin_of_text)\|?>",
        r"\[/?inst\]|<</?sys>>|#{2,} ?(?:system|instructions?|assistant|human|response) ?:",
        r"\b(?:begin|start|end|new|hidden|secret|updated) (?:of )?(?:the )?(?:system|developer|admin) ?(?:prompt|message|instructions?|override)\b",
        rf"^[\"“'‘\[*# ]*(?:system|assistant|ai|developer|chatgpt|llm)\]? ?: .*\b(?:you|your|{_RATING}|respond|answer|output|must|risk of bias|study|paper)\b",
        # Orders to drop the instructions that were given before.
        rf"{_LEAD}{_DROP}\b.{{0,40}}\b{_GIVEN}\b.{{0,40}}\b{_ORDERS}\b",
        rf"{_LEAD}{_DROP}\b.{{0,25}}\b{_ORDERS}\b.{{0,40}}\b{_GIVEN}\b",
        rf"{_LEAD}{_DROP}\b (?:the |all |any )?(?:rest|remainder|remaining|other parts?|body)\b.{{0,40}}\b(?:document|text|paper|article|page|file)\b",
        r"\b(?:follow|obey|heed) (?:only )?(?:these|this|the following|my)(?: new)?(?: (?:instructions?|orders?|commands?))? (?:instead|only)\b",
        # Roles, and machines addressed by name.
        rf"\byou(?: are|'re|r role is| will be| act| shall be)(?: now| no longer| actually| only| hereafter| from now on)*"
        rf"(?: to be| acting)?(?: as)?(?: an?| the| my)? (?:[\w-]+,? ){{0,4}}{_ROLES}\b",
        rf"{_LEAD}(?:act|behave|respond|answer|write|work|serve|pose)(?: now| only)? (?:as|like)(?: if you (?:are|were))?(?: an?| the)? (?:[\w-]+ ){{0,3}}{_ROLES}\b",
        rf"{_LEAD}(?:pretend|imagine|assume|suppose)(?: that)? you(?: are|'re| were)\b",
        rf"{_LEAD}pretend\b.{{0,100}}\b(?:you|your)\b",
        rf"\bif (?:you are|you're|this is|the reader is|you happen to be) (?:an? |the )?(?:[\w-]+ ){{0,3}}{_MACHINES}\b",
        rf"(?:^|[.:;!?\"“(\[>*#-])\s*(?:dear|attention|hey|hello|hi|note|message|instructions?|notice|reminder|memo)\b[^.]{{0,20}}?"
        rf"\b(?:{_MACHINES}|assistant|model)s?(?: \w+){{0,3}} ?[,:–—-]",
        rf"(?:^|[.:;!?\"“(\[>*#-])\s*for (?:the |all |any )?(?:[\w-]+ )?{_MACHINES}(?: only| alone)?\s*[:–—-]",
        rf"\bas an? (?:[\w-]+ ){{0,3}}{_MACHINES},? (?:you|please|your|output|always|never|{_RATING}|{_SAYING})\b",
        rf"\b(?:any|all|every|the|an?)? ?(?:{_MACHINES}|assistant)\b(?: (?:that|which|who|when|while))?(?: is| are)? (?:reading|processing|reviewing"
        rf"|evaluating|summari[sz]ing|parsing|analy[sz]ing|reads?|process(?:es)?|reviews?|scanning|assessing|grading|judging)\b.{{0,40}}"
        r"\b(?:must|should|shall|is to|are to|needs? to|ha(?:s|ve) to|will|please|ought)\b",
        rf"\b(?:read|processed|parsed|reviewed|evaluated|analy[sz]ed|summari[sz]ed|assessed|scanned) by an? (?:[\w-]+ ){{0,2}}{_MACHINES},"
        r".{0,40}\b(?:must|should|shall|is to|please|select|answer|output|rate|give|report|state)\b",
        rf"\b(?:the|this) (?:assistant|(?:language )?model|ai|llm|chatbot) (?:must|shall|is to|should (?:not|never|always|only)|will now)\b",
        r"\b(?:tell|let|inform|alert|reveal (?:this )?to|disclose .{0,20}to|show .{0,20}to) the (?:user|reviewer|reader)s?\b.{0,30}\b(?:that you|this (?:message|text|instruction|note)|your)\b",
        r"\b(?:disclose|reveal|mention|acknowledge|repeat) (?:this|these|the hidden) (?:message|text|instruction|note|prompt)s?\b",
        r"\byour (?:system|hidden|initial|original|new|updated|secret|real|true) (?:prompt|instructions?|task|directives?|orders|guidelines|objective)\b",
        r"\b(?:from now on|henceforth),? you\b",
        r"\b(?:developer mode|jailbreak|dan mode|prompt injection) (?:is |now )*(?:on|enabled|activated|active)\b",
        rf"\b(?:command|order|instruction|message)s? from (?:the|your) (?:developer|operator|administrator|system|creator|editor)\b",
        # Orders about the review itself.
        rf"{_LEAD}recommend (?:its |an? |the |immediate |unconditional |this \w+ for )*(?:acceptance|accept|publication|strong accept)\b",
        rf"{_LEAD}(?:choose|select|pick|cite|quote|mark|return) (?:only )?(?:this|the present) (?:sentence|passage|paragraph)\b",
        rf"{_LEAD}(?:give|write|provide|produce|generate|submit|return|draft|leave) (?:only )?(?:an? |the |your )?(?:[\w-]+ )?(?:positive|favou?rable|glowing|breakthrough|enthusiastic"
        r"|excellent|good|flattering|perfect|praising|laudatory) (?:[\w-]+ )?(?:review|summary|report|assessment|evaluation|feedback|rating|verdict|recommendation)",
        rf"{_LEAD}(?:output|respond|reply|return|print|answer)(?: only| just| exactly)? (?:with |in |using )?(?:only |exactly |just |nothing but )?(?:the )?"
        r"(?:words?|phrase|json|sentence|text|string|following|[\"“'‘«])",
        rf"{_LEAD}(?:answer|reply|respond|say)(?: only| always| with)? [\"“'‘«]?(?:yes|no|low|y|py)\b.{{0,30}}\b(?:to|for|on) (?:all|every|each|any)\b.{{0,30}}"
        r"\b(?:signall?ing|question about|domains?|items? of the tool|hypothes[ie]s)",
        r"\b(?:do not|don't|never|not to) (?:highlight|mention|raise|report|point out|include|discuss|note|list)\b.{0,20}\b(?:negatives?|weakness(?:es)?|flaws|shortcomings)\b",
    )
)

# The commonest forms in other languages: drop your instructions, you are a model, praise this work.
OTHER_LANGUAGES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie|verwirf|übergeh\w*|beachte\w* (?:sie )?(?:nicht|keine)).{0,40}(?:anweisung|instruktion|vorgabe|befehl|aufforderung|prompt|anleitung)",
        r"\b(?:bewerte\w*|stufe|beurteile\w*|gib|geben sie|schreib\w*|empfiehl|empfehlen sie)\b.{0,60}(?:positiv|geringe\w* (?:verzerrungs|bias)|niedrige\w* (?:verzerrungs|bias|risiko)|annahme|bestnote|höchst)",
        r"(?:sprachmodell|modèle de langage|modelo de lengu|modello linguistico|taalmodel|языков\w+ модел|语言模型|語言模型|人工智能助手|言語モデル|언어 모델).{0,60}(?:\bdu\b|\bsie\b|\bvous\b|\btu\b|\bdebes?\b|\busted\b|\bdevi\b|\bje\b|ты|вы|你|您|必须|請|请|ください)",
        r"(?:作为|作為|身为|身為)(?:一个|一個|一名)?(?:ai|人工智能|语言模型|語言模型|审稿|審稿|评审|評審)",
        r"\b(?:vergiss|vergessen sie|ignorier\w*|missacht\w*)\b.{0,20}(?:alle|alles|regeln|bisherig|vorherig|zuvor|oben)",
        r"^[\W_]*(?:no (?:menciones|mencione|reveles|informes)|ne mentionne[zr]?|n'évoque[zr]?|erwähne?n? (?:sie )?(?:nicht|keine)|nenne?n? (?:sie )?keine)\b",
        r"\b(?:oublie[rz]?|ignore[rz]?) (?:vos|tes|toutes|tout|les) ",
        r"(?:忽略|无视|無視|忘记|忘記|忽視|忽视).{0,4}(?:以上|上述|之前|先前|前面|此前)|(?:推荐|推薦|建议|建議).{0,4}(?:接收|录用|錄用|接受).{0,4}(?:本文|该|此|稿)?",
        r"\b(?:du bist|sie sind)(?: \w+){0,2} (?:ki|ein\w* (?:\w+ )?(?:ki\b|assistent|gutachter|sprachmodell|modell))",
        r"\b(?:ignore[rz]?|oublie[rz]?|néglige[rz]?|ne (?:tenez|tiens) (?:pas|aucun) compte).{0,50}(?:instruction|consigne|directive|invite|prompt)",
        r"\b(?:donne[rz]?|rédige[rz]?|évalue[rz]?|juge[rz]?|classe[rz]?|écri(?:s|vez)|recommande[rz]?)\b.{0,60}(?:\bpositi(?:f|ve)|favorable|faible risque|risque (?:de biais )?faible|acceptation)",
        r"\b(?:tu es|vous êtes)(?: \w+){0,2} (?:une? )?(?:\w+ )?(?:ia\b|assistant|modèle|évaluateur|relecteur)",
        r"\b(?:ignor[aeá]\w*|olvid[aeá]\w*|desatiend\w+|omit[ae]\w*|haga? caso omiso|haz caso omiso|no sigas?).{0,50}(?:instruccion|indicacion|órdenes|directri|prompt)",
        r"\b(?:da|dé|dale|escrib[ae]|califi(?:ca|que)|eval[uú][ae]|valor[ae]|clasifi(?:ca|que)|recomiend[ae])\b.{0,60}(?:positiv|favorable|bajo riesgo|riesgo (?:de sesgo )?bajo|aceptación)",
        r"\b(?:eres|usted es)(?: \w+){0,2} (?:una? )?(?:ia\b|asistente|modelo|revisor)",
        r"\b(?:ignor[aie]\w*|dimentic\w+|trascur\w+).{0,50}(?:istruzion|indicazion|comand|direttiv|prompt)",
        r"\b(?:ignor[ea]\w*|esque[çc]\w+|desconsider\w+).{0,50}(?:instruç|orientaç|comandos|ordens|prompt)",
        r"\b(?:negeer|vergeet|sla .{0,20} over).{0,40}(?:instructie|opdracht|aanwijzing|prompt)",
        r"(?:игнорируй|проигнорируй|забудь|не обращай).{0,50}(?:инструкци|указани|команд|промпт)",
        r"(?:忽略|无视|無視|忘记|忘記|忽視|忽视|不要理会|不要遵[守循]).{0,15}(?:指令|指示|提示|说明|說明|要求|命令|规则|規則)",
        r"(?:只|仅|僅|请|請|必须|必須).{0,6}(?:给出|給出|输出|輸出|写|寫|回答|评为|評為).{0,12}(?:正面|积极|積極|好评|好評|肯定|低风险|低風險)",
        r"你(?:现在|現在)?(?:是|扮演)(?:一个|一個|一名|一位)?.{0,12}(?:助手|模型|评审|評審|审稿人|審稿人|人工智能)",
        r"(?:指示|命令|プロンプト)(?:を|は).{0,6}(?:無視|忘れ|破棄)|(?:지시|명령|프롬프트).{0,8}(?:무시|잊)",
    )
)

# Every sentence above holds one of these words, or a word in another language that begins like one of these stems of
# five letters, or begins a clause with an order. Looking them up is cheap, and most sentences of a paper hold none.
SIGNALS = frozenset(
    """
    you your you're you've yourself please must ai ais llm llms gpt chatgpt language chatbot chatbots copilot claude gemini
    neural artificial assistant assistants model models prompt prompts instruction instructions directive directives
    command commands conversation programming summariser summarizer reviewer reviewers referee grader evaluator
    automated automatic system reader generator inst sys im_start im_end endoftext start_of_turn eot_id jailbreak jailbroken
    developer superseded withdrawn void passage sentence
    """.split()
)
STEMS = frozenset(
    """
    missa verge vergi verwi überg beach bewer beurt stufe geben schre empfi oubli négli tenez tiens donne rédig évalu
    jugez écriv class olvid desat escri calif evalú valor recom eres usted dimen trasc esque desco negee verge ignor
    gutac sprac modèl taalm menci menti erwäh nenne ia debes
    """.split()
)
ORDERS = frozenset(
    re.sub(r"\[sz\].*|\W.*", "", verb)[:5]
    for verb in f"{_SAYING}|{_RATING}|do|don't|never|avoid|refrain|leave|omit|withhold|suppress|overlook|ignore|disregard|dismiss|gloss"
    "|excuse|forgive|hide|conceal|downplay|forget|override|bypass|discard|neglect|abandon|drop|erase|delete|skip|cancel|reset"
    "|unlearn|disobey|scrap|suspend|stop|cease|quit|imagine|suppose|follow|obey|heed|comply|work|serve|pose|submit|draft|under"
    "|new|updated|real|actual|revised|final|when|if|whenever|whatever|before|after|once|for|as|in|no|regardless|despite|upon"
    "|now|then|instead|always|just|simply|only|next|kindly|remember".split("|")
)
CLAUSE = re.compile(r"(?:^|[.:;!?])[\W_]*(\w+)")
OTHER_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
WORD = re.compile(r"[\w']+")

LETTERS_APART = re.compile(r"(?:\b\w[ .*_-]+){8}")
COMPACT = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|your|of|these|those|every)*(?:previous|prior|above|earlier|preceding)"
    r"\w{0,12}(?:instruct|prompt|direction|guideline|command|rule)"
)
# Cyrillic and Greek letters that look like Latin ones.
LOOKALIKES = str.maketrans("аеорсухіјѕһԁԛԝοαеινρτυχк", "aeopcyxijshdqwoaeivptuxk")
