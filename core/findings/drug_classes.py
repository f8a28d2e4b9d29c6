"""Classes of drugs by all their names: "SGLT2 inhibitors", "gliflozins", and dapagliflozin by the ending of its name.

The endings are stems of international nonproprietary names (WHO, "The use of stems in the selection of INN"); a class
whose members share none lists the common ones. Other classes are known by their words alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

# What a class is called: its members, by name, by the end (-pril) or by the beginning (cef-) of their names.
_TABLE = """
sglt 2 inhibitor, sglt2i, sodium glucose cotransporter 2 inhibitor, sodium glucose co transporter 2 inhibitor, gliflozin: -gliflozin
dpp 4 inhibitor, dpp iv inhibitor, dipeptidyl peptidase 4 inhibitor, dipeptidyl peptidase iv inhibitor, gliptin: -gliptin
glp 1 agonist, glp 1 receptor agonist, glp 1 analogue, glp 1 analog, glp 1 ra, glucagon like peptide 1 receptor agonist: -glutide -enatide tirzepatide
statin, hmg coa reductase inhibitor: -vastatin
fibrate: -fibrate gemfibrozil
thiazolidinedione, glitazone: -glitazone
sulfonylurea, sulphonylurea: glibenclamide glimepiride gliclazide glipizide glyburide tolbutamide
biguanide: metformin
bisphosphonate: -dronate -dronic
beta blocker, beta adrenergic blocker, beta adrenoceptor antagonist, beta receptor blocker: -olol carvedilol labetalol
ace inhibitor, acei, angiotensin converting enzyme inhibitor: -pril -prilat
arb, angiotensin receptor blocker, angiotensin ii receptor blocker, angiotensin ii receptor antagonist, sartan: -sartan
calcium channel blocker, calcium antagonist, calcium channel antagonist: -dipine verapamil diltiazem
alpha blocker, alpha 1 blocker, alpha adrenergic antagonist: -zosin tamsulosin silodosin
thiazide, thiazide diuretic, thiazide like diuretic: -thiazide chlorthalidone chlortalidone indapamide
loop diuretic: -semide bumetanide
mineralocorticoid receptor antagonist, aldosterone antagonist, mra: spironolactone -renone
direct oral anticoagulant, novel oral anticoagulant, doac, noac, factor xa inhibitor: -xaban dabigatran
heparin, low molecular weight heparin, lmwh: -parin
p 2 y 12 inhibitor, p 2 y 12 receptor inhibitor, thienopyridine: -grel -grelor
pde 5 inhibitor, phosphodiesterase 5 inhibitor, phosphodiesterase type 5 inhibitor: -denafil -anafil tadalafil
proton pump inhibitor, ppi: -eprazole -oprazole
h 2 blocker, h 2 receptor antagonist, h 2 antagonist: cimetidine ranitidine famotidine nizatidine
5 ht 3 antagonist, 5 ht 3 receptor antagonist, serotonin receptor antagonist, setron: -setron
beta agonist, beta 2 agonist, laba, saba: -meterol -moterol -caterol vilanterol olodaterol fenoterol salbutamol albuterol terbutaline
muscarinic antagonist, antimuscarinic, lama: -tropium -clidinium -fenacin oxybutynin tolterodine
leukotriene receptor antagonist, leukotriene antagonist: -lukast
corticosteroid, glucocorticoid, steroid: -methasone prednis- methylprednis- hydrocortisone -sonide fluticasone triamcinolone
antihistamine, h 1 antagonist: loratadine desloratadine cetirizine levocetirizine fexofenadine diphenhydramine azelastine bilastine ebastine
fluoroquinolone, quinolone: -floxacin
macrolide: -thromycin
cephalosporin: cef- cephalexin cephazolin
penicillin: -cillin
tetracycline: -cycline
aminoglycoside: gentamicin tobramycin amikacin streptomycin neomycin
carbapenem: -penem
azole, azole antifungal: -conazole
antiviral: aciclovir acyclovir -ciclovir -cyclovir -navir -tegravir -buvir -asvir -previr oseltamivir zanamivir
artemisinin, artemisinin derivative, artemisinin combination therapy: artemether artesunate dihydroartemisinin
ssri, selective serotonin reuptake inhibitor: fluoxetine paroxetine sertraline citalopram escitalopram fluvoxamine
snri, serotonin norepinephrine reuptake inhibitor, serotonin noradrenaline reuptake inhibitor: -venlafaxine duloxetine milnacipran
benzodiazepine: -azepam -azolam
triptan: -triptan
antipsychotic: -peridone -piprazole olanzapine quetiapine clozapine haloperidol
gabapentinoid: gabapentin pregabalin
opioid, opiate: morphine fentanyl -fentanil -codone -morphone codeine tramadol tapentadol methadone buprenorphine pethidine
nsaid, non steroidal anti inflammatory drug, non steroidal anti inflammatory: -profen -fenac -oxicam -coxib naproxen ketorolac indomethacin
cox 2 inhibitor, cyclooxygenase 2 inhibitor, coxib: -coxib
local anaesthetic, local anesthetic: -bupivacaine ropivacaine bupivacaine lidocaine lignocaine prilocaine mepivacaine
volatile anaesthetic, volatile anesthetic, inhalational anaesthetic, inhalational anesthetic: -flurane
muscle relaxant, neuromuscular blocker, neuromuscular blocking agent: -curium -curonium succinylcholine suxamethonium
alpha 2 agonist, alpha 2 adrenergic agonist: clonidine -medetomidine
cholinesterase inhibitor, acetylcholinesterase inhibitor: donepezil rivastigmine galantamine
tyrosine kinase inhibitor, kinase inhibitor, tki: -tinib
parp inhibitor: -parib
cdk 4/6 inhibitor: -ciclib
monoclonal antibody, monoclonal antibodies, biologic drug, biologic agent, biologic therapy: -mab
tnf inhibitor, tnf blocker, anti tnf, tnf alpha inhibitor: infliximab adalimumab golimumab certolizumab etanercept
checkpoint inhibitor, immune checkpoint inhibitor, pd 1 inhibitor, pd l1 inhibitor: -rolizumab nivolumab atezolizumab durvalumab avelumab ipilimumab
jak inhibitor, janus kinase inhibitor: -citinib
taxane: -taxel
platinum, platinum based chemotherapy: -platin
anthracycline: -rubicin
aromatase inhibitor: -trozole exemestane
5 alpha reductase inhibitor: -steride
gnrh agonist, gonadotropin releasing hormone agonist: -orelin -erelin leuprolide nafarelin histrelin
"""

_SHORTEST = 2  # letters before the end of a name


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class: its first name, all that it is called, and what belongs to it."""

    name: str
    called: re.Pattern[str]
    members: re.Pattern[str]


@lru_cache(maxsize=1)
def drug_classes() -> tuple[DrugClass, ...]:
    """All classes that are known."""
    return tuple(_class_of(*line.split(":")) for line in _TABLE.strip().splitlines())


def _class_of(names: str, members: str) -> DrugClass:
    called = "|".join(re.escape(name.strip()).replace(r"\ ", r"[\s-]?") for name in names.split(","))
    return DrugClass(
        names.split(",", maxsplit=1)[0],
        re.compile(rf"\b(?:{called})(?:s|es)?\b"),
        re.compile(rf"\b(?:{'|'.join(map(_member, members.split()))})\b"),
    )


def _member(name: str) -> str:
    if name.startswith("-"):
        return rf"\w{{{_SHORTEST},}}{name[1:]}"
    return rf"{name[:-1]}\w{{{_SHORTEST},}}" if name.endswith("-") else name


def _plain(text: str) -> str:
    return text.lower().replace("β", "beta").replace("α", "alpha")


def names_used(topic: str, text: str) -> frozenset[str]:
    """What a text calls the drugs of a topic: the members of a class that the topic names, or the class of a member.

    >>> sorted(names_used("SGLT2 inhibitors", "Dapagliflozin or empagliflozin was given beside metformin."))
    ['dapagliflozin', 'empagliflozin']
    """
    return frozenset(found for _, found in names_shared(topic, text))


def names_shared(topic: str, text: str) -> frozenset[tuple[str, str]]:
    """The same, each behind the topic's own word for it: ("sglt2 inhibitors", "dapagliflozin")."""
    topic, text = _plain(topic), _plain(text)
    return frozenset(
        (said.group(), found)
        for one in drug_classes()
        for said, looked_for in (
            *((match, (one.members, one.called)) for match in one.called.finditer(topic)),
            *((match, (one.called,)) for match in one.members.finditer(topic) if not one.called.search(topic)),
        )
        for pattern in looked_for
        for found in pattern.findall(text)
    )
