"""`python -m core.training COMMAND`: train, fit or measure the shipped models. Without COMMAND, it lists all."""

from __future__ import annotations

import sys
from importlib import import_module

from core.errors import VouchError

# Command -> (module, function, summary). A module is imported only when its command is called.
COMMANDS = {
    "reader": ("reader", "train_reader", "train the reader and write the layers that ship"),
    "cross-encoder": ("cross_encoder", "train_cross_encoder", "tune the cross-encoder, and score unseen papers"),
    "ranker": ("evidence", "train_ranker", "train the ranker; write its models and the figures of its card"),
    "roles": ("roles", "train_roles", "train what tells findings from background and conduct"),
    "minilm-graphs": ("minilm_graphs", "write_minilm_graphs", "write MiniLM as graphs for ONNX Runtime"),
    "bias": ("bias", "train_bias", "train support sentences and levels; write models and figures"),
    "definitions": ("definitions", "train_definitions", "train how a typed definition of bias is followed"),
    "offline": ("evidence", "fit_offline", "fit the weights of the simple `offline`, and write them"),
    "wording": ("wording", "fit_wording", "fit what words tell of a direction"),
    "verdicts": ("verdicts", "fit_verdicts", "fit the verdicts of the evidence table"),
    "answers": ("answers", "fit_answers", "fit answers from a library"),
    "claims": ("claims", "measure_claims", "measure claims on labelled ones"),
    "contradictions": ("contradictions", "fit_contradictions", "fit the scale of contradictions"),
    "summaries": ("summaries", "fit_summaries", "fit the score of plain summaries"),
    "findings": ("verdicts", "measure_findings", "measure directions and verdicts on Evidence Inference"),
    "stress-set": (
        "summaries",
        "make_or_measure_stress_set",
        "make the stress set of plain summaries, or measure on it",
    ),
    "longsciverify": ("summaries", "measure_summaries", "measure summaries on LongSciVerify"),
    "screening": ("screening", "simulate_screening", "measure how much reading the learner saves"),
    "screening-order-time": ("screening", "measure_ordering", "measure how long ordering papers takes"),
    "criteria": ("screening", "measure_criteria", "measure screening by criteria"),
    "references": ("references", "measure_references", "measure how references find papers and duplicates"),
    "reading": ("reading", "measure_typeset_papers", "measure how PDFs are read, in the layouts of publishers"),
    "reading-time": ("reading", "measure_reading_time", "measure how long reading a PDF takes"),
    "speed": ("speed", "measure_speed", "time one paper from file to highlights"),
    "workers": ("speed", "measure_workers", "time two worker processes beside one"),
    "models": ("speed", "measure_models", "time language models against a loop"),
    "review-time": ("speed", "measure_review", "time a whole review, step by step, with its memory"),
    "library-scale": ("library_scale", "measure_library", "measure how a library of papers grows"),
    "making": (
        "making",
        "measure_making",
        "measure the memory of many reviews made into a benchmark, and kill it on the way",
    ),
    "alignment": ("alignment", "measure_alignment", "measure which sentences that engines align tell it, by reading"),
    "streaming": ("streaming", "measure_streaming", "measure the memory that a very large benchmark takes"),
}


def main(words: list[str]) -> int:
    """Run one command."""
    name = words[0] if words else ""
    if name not in COMMANDS:
        print("python -m core.training COMMAND [--help], where COMMAND is one of", file=sys.stderr)
        for command, (_, _, summary) in COMMANDS.items():
            print(f"  {command:22}{summary}", file=sys.stderr)
        return 2
    module, function, _ = COMMANDS[name]
    sys.argv = [f"python -m core.training {name}", *words[1:]]
    try:
        return getattr(import_module(f"core.training.{module}"), function)() or 0
    except VouchError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
