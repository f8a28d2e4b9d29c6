"""Invented trials, two on leg cramps and two whose drugs did no more harm than placebo; and what a cut claim is."""

import re

AGAINST = b"""# Magnesium citrate for leg cramps at night: a randomised trial in pregnant women

## Abstract

Magnesium citrate (600 mg daily) significantly reduced the number of nocturnal leg cramps compared with placebo (P < 0.001).

## Results

The number of nocturnal leg cramps per week was significantly lower with magnesium citrate than with placebo in pregnant women (2.1 vs. 4.9).
Diarrhoea was not more frequent with magnesium than with placebo (5% vs. 5%, P = 0.9).
"""
FOR = b"""# Magnesium oxide in adults with cramps: a double-blind trial

## Results

Diarrhoea was significantly more frequent with magnesium than with placebo (24% vs. 9%, P = 0.004).
The number of nocturnal leg cramps per week did not differ between magnesium and placebo (4.0 vs. 4.2, P = 0.7).
"""
DEMENTIA = b"""# Memantine beside donepezil in dementia: a randomised trial

## Abstract

We gave 214 people with dementia memantine or placebo beside their donepezil for 24 weeks.
The incidence of adverse events was similar with memantine and placebo (38% vs. 39%, P = 0.8).
"""
GOUT = b"""# Colchicine against flares of gout: a randomised trial

## Abstract

We gave 180 adults with gout colchicine or placebo for 24 weeks, beside allopurinol.
The incidence of adverse events over 24 weeks was similar with colchicine and placebo (41% vs. 42%, P = 0.9).

## Results

Adverse events were as frequent with colchicine added to allopurinol as with placebo.
"""


def is_cut_from(claim: str, sentence: str) -> bool:
    """Whether all words of a claim stand in the sentence in this order: nothing was added or changed."""
    rest = iter(re.findall(r"\w+", sentence.casefold()))
    return all(word in rest for word in re.findall(r"\w+", claim.casefold()))
