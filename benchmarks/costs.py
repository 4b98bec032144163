#!/usr/bin/env python3
"""How many lines operators cost, with comments and blank lines: writes the table of docs/adding-an-operator.md."""
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(ROOT, "docs", "adding-an-operator.md")
BEGIN, END = "<!-- written by benchmarks/costs.py -->\n", "<!-- end of what was written -->\n"

# What the row is called, how many operators it has, and the beginnings of the names of its files.
MOVE_OR_SELECT = [
    ("JOIN, SPLIT", 2, "join split parts"),
    ("TILE", 1, "tile"),
    ("SPACE_TO_DEPTH, DEPTH_TO_SPACE and their 1-versions", 4, "space_depth"),
    ("PADDING, PADDING1", 2, "padding"),
    ("CAST", 1, "cast"),
    ("TOP_K, TOP_K1", 2, "top_k"),
    ("ONE_HOT", 1, "one_hot"),
    ("GATHER, GATHER_ELEMENTS, GATHER_ND, GATHER_ND1", 4, "gather"),
    ("SCATTER_ELEMENTS, SCATTER_ND", 2, "scatter update_candidates"),
]
ROUND = [
    ("the element-wise operators", 64, "element_wise scale_bias fused_clip arithmetic pow"),
    ("the activations", 19, "activation"),
    ("REDUCE, ARGMIN, ARGMAX", 3, "reduce arg"),
    ("SOFTMAX, LOG_SOFTMAX, HARDMAX and their 1-versions", 6, "softmax log_softmax hardmax"),
    ("CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT", 2, "cumulative"),
    ("UPSAMPLE_2D", 1, "upsample"),
    ("AVERAGE_POOLING, LP_POOLING, MAX_POOLING, their gradients, FOLD, UNFOLD", 11, "pooling max_pooling window fold"),
    ("RESAMPLE, its newer versions and gradients", 6, "resample"),
    ("ROI_POOLING, ROI_ALIGN, ROI_ALIGN1, ROI_ALIGN_GRAD", 4, "roi"),
    ("VALUE_SCALE_2D", 1, "value_scale"),
    ("RNN", 1, "rnn recurrent"),
    ("LSTM, GRU", 2, "lstm gru gated recurrent_formula"),
    ("MULTIHEAD_ATTENTION, MULTIHEAD_ATTENTION1", 2, "multihead_attention attention"),
    ("ADAM_OPTIMIZER", 1, "adam"),
    ("normalisations", 10, "normalisation normalization local_response norm_bounds moments quotient_by_root"),
    ("GEMM", 1, "gemm"),
    ("CONVOLUTION, CONVOLUTION_INTEGER", 2, "convolution"),
    ("the other quantised operators", 11, "quanti dynamic_quanti matrix_multiply integer_"),
]
COLUMNS = [
    ("`operators`, `reference`", ["include/goldml/operators", "include/goldml/reference"]),
    ("`cpu`", ["include/goldml/cpu"]),
    ("verdicts", ["include/goldml/oracle/verdicts"]),
    ("sampler, explanation", ["include/goldml/oracle/samplers", "tools/explain"]),
    ("tests", ["tests/operators", "tests/lines", "tests/cpu", "tests/oracle"]),
    ("page", ["docs/operators"]),
]


def lines_in(folder, stems):
    total = 0
    for path in glob.glob(os.path.join(ROOT, folder, "*.*")):
        name = re.sub(r"^allowed_", "", os.path.basename(path))
        if any(name.startswith(stem) for stem in stems):
            with open(path, encoding="utf-8") as file:
                total += sum(1 for _ in file)
    return total


def table():
    text = "| operators | " + " | ".join(name for name, _ in COLUMNS) + " | for each |\n"
    text += "|---" * (len(COLUMNS) + 2) + "|\n"
    for heading, rows in (("that move, select or convert", MOVE_OR_SELECT), ("that round", ROUND)):
        text += f"| *{heading}* |" + " |" * (len(COLUMNS) + 1) + "\n"
        for name, operators, stems in rows:
            counts = [sum(lines_in(folder, stems.split()) for folder in folders) for _, folders in COLUMNS]
            text += "| " + " | ".join([name] + [f"{n:,}" for n in counts] + [f"{round(sum(counts) / operators):,}"]) + " |\n"
    return text


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN)
    page = before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    sys.exit(main())
