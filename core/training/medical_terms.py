"""What a sentence is about, with terms of medicine and the plain words for them taken as one."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.words import content_words, light_stem

# Beginnings of words: "hypertensi" is "hypertension" and "hypertensive".
PLAIN_WORDS: tuple[tuple[str, ...], ...] = tuple(
    tuple(form.strip() for form in line.split("=") if form.strip())
    for line in """
    hypertensi = high blood pressure = elevated blood pressure = raised blood pressure
    hypotensi = low blood pressure
    hyperglyc = high blood sugar = high blood glucose = raised blood sugar
    hypoglyc = low blood sugar = low blood glucose
    blood glucose = blood sugar = glycaemi = glycemi = plasma glucose = serum glucose
    myocardial infarction = heart attack
    cardiovascular = heart and blood vessel
    cardiac = heart
    coronary = heart arter
    renal = kidney = nephr
    hepatic = liver
    pulmonary = lung = respiratory
    cerebral = brain
    gastric = stomach
    intestin = gut = bowel
    dermal = skin = dermat = cutaneous
    ocular = eye = ophthalm
    oral = by mouth = mouth
    ortho = bone = osseous
    osteoporo = weak bones = brittle bones = bone loss
    fracture = broken bone
    cerebrovascular accident = stroke
    neoplas = cancer = malignan = tumour = tumor = carcinoma = oncolog
    metasta = spread of cancer = cancer spread = spread to other
    chemotherap = cancer drug
    mortality = death = died = dying = dead = deceas = fatal
    morbidity = illness = disease = disorder = sickness
    adverse event = side effect = adverse effect = adverse reaction = unwanted effect
    analges = pain relief = painkiller = pain relief = pain medication
    antipyretic = fever medicine
    pyrexia = fever = febrile
    antibiotic = antimicrob = antibacterial
    antihypertensive = blood pressure drug = blood pressure medication
    anticoagul = blood thinner = blood-thin
    thrombo = blood clot = clot
    haemorrhag = hemorrhag = bleed
    anaemi = anemi = low iron
    emesis = vomit = throwing up
    nausea = feeling sick
    diarrh = loose stool
    constipat = hard stool
    dyspnoea = dyspnea = shortness of breath = breathless = breathing difficult
    fatigue = tired
    insomni = sleepless = trouble sleeping = sleep problem
    pruritus = itch
    oedema = edema = swelling
    erythema = redness
    lesion = sore = wound
    obes = very overweight
    bmi = body mass index
    body weight = weigh
    depressi = low mood
    anxiet = anxious = worry
    cognit = thinking = mental abilit
    dementia = alzheimer
    gait = walking = walk = ambulat
    physical activity = exercis = training
    paediatric = pediatric = child = kids = youngster = boys = girls
    infant = bab = newborn = neonat
    adolescen = teen = young people
    elderly = older = geriatric = aged people = seniors
    pregnan = expecting = gestation
    parturi = giving birth = childbirth = deliver = labour = labor
    caesarean = cesarean = c-section
    lactat = breastfe = breast-fe = nursing mother
    post-operative = postoperative = after surgery = after the operation = after an operation
    pre-operative = preoperative = before surgery
    surg = operat
    arthroplast = joint replacement
    anaesthe = anesthe = numb
    placebo = dummy = sham = inactive = sugar pill
    participants = patients = people = subjects = individuals = volunteers = persons = persons = cases
    women = woman = female = girls
    men = man = male = boys
    randomi = random = by chance = chance = at random = allocat = assign
    double-blind = double blind = blinded = did not know
    trial = study = research = experiment = investigat
    physician = doctor = clinician = medic
    practitioner = gp = family doctor
    hospitali = admitted = hospital stay = inpatient = in hospital
    efficac = effective = works = worked = work well = effectiv = benefi
    toleran = tolerab = tolerat
    administ = given = gave = receiv = took = taking
    pharmac = drug = medicine = medication
    dose = dosage = amount
    therap = treat = intervention
    vaccin = immuni = jab
    infect = sepsis
    virus = viral
    bacteri = germ
    inflamm = swollen
    lipid = fat = cholesterol
    diet = food = eating = nutrition = intake
    supplement = vitamin pill
    smok = tobacco = cigarette
    alcohol = drinking
    follow-up = followed up = were followed = follow up
    baseline = at the start = start of the study = beginning of the study = initial
    assess = measur = evaluat = test = examin
    questionnaire = survey
    prevalence = how common
    inciden = new cases = rate of
    quality of life = well-being = wellbeing
    recurren = relaps = came back = coming back = return of
    remission = recover = symptom-free
    surviv = lived = alive = living
    cost-effective = value for money
    screening = checking for
    diagnos = identif = detect
    prophyla = prevent = avoid = protect
    significan = clear = real = meaningful
    """.strip().splitlines()
)


@lru_cache(maxsize=8192)
def topic(sentence: str) -> frozenset[str]:
    """The stems of the words that carry a topic, plain words and terms of medicine folded into one; no numbers."""
    lowered = sentence.lower().replace("’", "'")
    folded = [(phrase, key) for phrase, key in _FOLDED if phrase in lowered]
    stems = {light_stem(word) for word in content_words(sentence) if word not in _NUMBERS and not word[0].isdigit()}
    for phrase, key in folded:
        if re.search(rf"\b{re.escape(phrase)}", lowered):
            stems -= {light_stem(word) for word in content_words(phrase)}
            stems.add(key)
    return frozenset(stems)


_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    " twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half third quarter fifth percent".split()
)
_FOLDED = sorted(((form, f"={group[0]}") for group in PLAIN_WORDS for form in group), key=lambda pair: -len(pair[0]))
