"""The commonest orders to a language model in languages other than English; all patterns read lower-case text.

Three kinds for each language: drop your instructions; you are a model; praise this work.
"""

from __future__ import annotations

import re

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
# The first five letters of words of which every sentence above in Latin letters holds one.
_STEMS = frozenset(
    """
    missa verge vergi verwi überg beach bewer beurt stufe geben gib schre empfi oubli négli tenez tiens donne rédig évalu
    jugez écriv olvid desat escri calif evalú valor recom eres usted dimen trasc esque desco negee ignor gutac sprac modèl
    model taalm menci menti erwäh nenne évoqu n'évo ia debes tiene solls musst darfs dois devez merci empfe bist sind juge
    juger écris êtes tu assis relec omita omite omiso siga sigas clasi da dé dale sla revel
    """.split()
)
# English words that begin like those.
_ENGLISH = frozenset(
    """
    model models modeled modelled modeling modelling recommend recommends recommended recommending recommendation
    recommendations mention mentions mentioned mentioning assist assists assisted assistance assistant assistants
    """.split()
)


def may_be_foreign(word: str) -> bool:
    """Whether a word may be one of a sentence above in Latin letters."""
    return word[:5] in _STEMS and word not in _ENGLISH
