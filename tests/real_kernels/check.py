#!/usr/bin/env python3
"""The harness itself, with NumPy and a few cases: what is right agrees, what is not is found, named and explained."""
import io
import contextlib
import json
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases
import run
import tables

PREFIXES = ["gemm.normal.f32.64x64x64", "gemm_bias.normal.f16.64x64x64", "gemm_bias.integers.f16.64x64x64", "argmax_nan.f32", "tile.f16", "top_k.ties.f32"]


def tf32(x):
    bits = x.view(np.uint32)
    return ((bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(0xFFFFE000)).view(np.float32)


def main():
    with tempfile.TemporaryDirectory() as folder:
        numpy_folder = os.path.join(folder, "numpy")
        run.compute_one(numpy_folder, "NumPy", PREFIXES, 60)
        # A library whose products have TF32 inputs, and which adds 1 to an element of TILE.
        other = os.path.join(folder, "other")
        product = next(c for c in cases.CASES if c.name == "gemm.normal.f32.64x64x64")
        tile = next(c for c in cases.CASES if c.name == "tile.f16")
        a, b, _ = product.make()
        wrong = np.tile(tile.make()[0], tile.attributes["Repeats"])
        wrong[0, 0, 0, 0] += 1
        os.mkdir(other)
        store = run.Store(other)
        outputs = [dict(case=product.name, library="other", way="", arrays=[store.add(tf32(a) @ tf32(b))]),
                   dict(case=tile.name, library="other", way="", arrays=[store.add(wrong)])]
        store.close()
        with open(os.path.join(other, "results.json"), "w") as file:
            json.dump(dict(library="other", is_here=True, what="other 1.0", failures=[], none=[], not_reached=[], outputs=outputs,
                           digests={c.name: run.digest(c.make()) for c in (product, tile)}), file)
        records, rows = run.judge([folder], [], 1)
        of = {(r["library"], r["case"]): r for r in rows}
        assert len(rows) == 7 and len(records) == 2, rows  # NumPy has no TOP_K
        right = of["NumPy", product.name]
        assert right["outcome"] == "agrees" and right["fit"]["outcome"] == "fits" and 0 < right["fit"]["rms"] < 1, right
        bias = of["NumPy", "gemm_bias.normal.f16.64x64x64"]  # which is added to FLOAT16
        assert (bias["outcome"], tables.named(bias), bias["explained"]) == ("differs", tables.NARROWED, "accumulation=half_products"), bias
        assert of["NumPy", "gemm_bias.integers.f16.64x64x64"]["outcome"] == "agrees" and of["NumPy", "tile.f16"]["outcome"] == "agrees", of
        nan = of["NumPy", "argmax_nan.f32"]
        assert (nan["outcome"], nan["explained"]) == ("differs", "nan_policy=propagate"), nan
        assert "TF32" in tables.named(of["other", product.name]) and of["other", product.name]["outcome"] == "differs", of
        assert (of["other", "tile.f16"]["differing"], of["other", "tile.f16"]["explained"]) == (1, ""), of
        page = os.path.join(folder, "page.md")
        names = ("libraries", "operators", "kernels", "findings")
        with open(page, "w") as file:
            file.write("".join(f"<!-- {n}: tests/real_kernels/run.py writes what follows -->\nold\n<!-- end of {n} -->\n" for n in names))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            status = tables.write(records, rows, page)
        text = open(page).read()
        # What no finding explains is said: TF32 by default, and the wrong TILE.
        assert status == 1 and "no finding explains tile.f16" in printed.getvalue() and "4 differ, 2 of these without a finding" in printed.getvalue(), printed.getvalue()
        assert "old" not in text and "| ARGMAX | **0** of 1 | - |" in text and "nan_policy=propagate: 1" in text and "| other | other 1.0 | 2 | 0 | 2 |" in text, text
        # Outputs of other inputs are refused.
        with open(os.path.join(other, "results.json")) as file:
            record = json.load(file)
        record["digests"][tile.name] = "0" * 16
        with open(os.path.join(other, "results.json"), "w") as file:
            json.dump(record, file)
        try:
            run.judge([folder], ["tile.f16"], 1)
            raise AssertionError("outputs of other inputs were judged")
        except SystemExit as refusal:
            assert "of other inputs" in str(refusal), refusal
    print("real_kernels: 7 outputs judged, 2 libraries, 4 tables")


if __name__ == "__main__":
    main()
