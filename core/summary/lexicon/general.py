"""Words of plain English that a summary may use whatever its paper is about. Stems (`core.summary.words.stem`) are taken."""

GENERAL = """
study studies researcher scientist author team paper article report result finding find found show showed shown look looked
looking see saw seen ask asked want wanted try tried test tested check checked compare compared comparing measure measured
people person patient participant volunteer man men woman women child children adult group part half third quarter most many much few several
number lot little big large small high low higher lower long short time times day week month year hour minute old young new common
rare good bad better worse best help helped helpful helping work worked works working use used using useful way ways make made
making get got give given gave take took taken taking receive received have had having do did done go went come came keep kept
start started begin began end ended finish finished stop stopped change changed changing difference different same similar like
increase increased decrease decreased rise rose fall fell drop dropped grow grew reduce reduced improve improved more less fewer
least average mean overall total about around nearly almost approximately roughly over under between among across within
after before during while since until then later early earlier first second last next finally also however but although though
because so therefore thus why how what which who when where whether if can could may might should would will must need needed
important importantly interesting clear clearly likely possible possibly suggest suggested mean means seem seemed appear appeared
show say said tell told know known knew think thought understand understood learn learned explain explained describe described
called known named type kind form level amount rate risk chance problem condition disease illness health healthy care treatment
treat treated medicine drug doctor hospital body life live living cause caused effect affect lead led result linked related
every each other another others both either neither one two three four five six seven eight nine ten hundred thousand
very quite too just only even still yet already again often sometimes usually always never rather enough well far near together apart
everyday plain simple easy hard difficult able unable available less-known world country place home school daily
question answer aim goal purpose reason conclusion conclude concluded summary addition fact case example instance evidence data
information knowledge method approach technique experiment trial research analysis analyse analyze review reviewed
support supported provide provided include included including involve involved follow followed following based according
compared versus against without with into onto upon toward towards per via due thanks despite unlike instead
significant significantly noticeable noticeably real really substantial considerably markedly slight slightly
twice half double percent percentage point score scale
""".split()
