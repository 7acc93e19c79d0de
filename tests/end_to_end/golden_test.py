"""Tests every golden case against MintPy's answer, to the tolerances that outcrop promises."""
import json
import os
import shutil

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main, outcrop

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")

# MintPy computes in float32: its own distance from the exact answer is below this.
LARGEST_RMS = 1e-5  # of all pixels, relative to the largest value
LARGEST_ERROR = 1e-4  # of any pixel

CASES = sorted(n for n in os.listdir(GOLDEN) if os.path.isdir(os.path.join(GOLDEN, n)))
COMPRESSED, CUT = "06-disconnected-network", "07-nan-holes"


def runs_of(case):
    with open(os.path.join(GOLDEN, case, "runs.json"), encoding="utf-8") as file:
        return json.load(file)


class Golden(SceneTest):
    def run_case(self, case, *more):
        for run, arguments in runs_of(case).items():
            with self.subTest(case=case, run=run):
                folder = self.path(case, run)
                shutil.copytree(os.path.join(GOLDEN, case), folder, ignore=shutil.ignore_patterns("expected"))
                ended = outcrop("invert-network", *arguments.split(), "--progress", "none", *more, cwd=folder)
                self.assertEqual(ended.code, 0, ended.stderr)
                self.compare(os.path.join(GOLDEN, case, "expected", run), folder)
                self.assert_nothing_unfinished(folder)
                shutil.rmtree(folder)

    def compare(self, expected, folder):
        for name in mp.Products.NAMES:
            with h5py.File(os.path.join(expected, name)) as reference, h5py.File(os.path.join(folder, name)) as ours:
                self.assertEqual(set(ours), set(reference))
                for dataset in reference:
                    self.compare_values(f"{name}/{dataset}", reference[dataset], ours[dataset])
                self.compare_attributes(name, dict(reference.attrs), dict(ours.attrs))

    def compare_values(self, name, reference, ours):
        self.assertEqual((ours.shape, ours.dtype), (reference.shape, reference.dtype), name)
        a, b = reference[()], ours[()]
        if name.endswith(("/date", "/mask")):
            np.testing.assert_array_equal(b, a, err_msg=name)
            return
        np.testing.assert_array_equal(np.isnan(b), np.isnan(a), err_msg=name)
        error = np.abs(np.nan_to_num(b.astype("f8") - a))
        scale = float(np.nanmax(np.abs(a)))
        self.assertLessEqual(np.sqrt(np.mean(error**2)), LARGEST_RMS * scale, name)
        self.assertLessEqual(np.max(error), LARGEST_ERROR * scale, name)

    def compare_attributes(self, name, reference, ours):
        added = {key for key in ours if key.startswith("outcrop.")}
        self.assertEqual(added, {"outcrop.complete", "outcrop.run_id", "outcrop.deviations"}, name)
        self.assertEqual({k: v for k, v in ours.items() if k not in added}, reference, name)
        self.assertEqual({type(value) for value in ours.values()}, {str}, name)

    def test_every_case_has_runs_and_inputs(self):
        self.assertGreaterEqual(len(CASES), 19)
        for case in CASES:
            self.assertTrue(runs_of(case), case)

    def test_the_serial_runner_gives_mintpys_answer_too(self):
        config = self.path("serial.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write('[run]\nrunner = "serial"\n')
        for case in (COMPRESSED, CUT):
            self.run_case(case, "--config", config)

    def test_the_batched_solver_gives_mintpys_answer_too(self):
        for case in CASES:
            self.run_case(case, "--solver", "batched")

    def test_tiles_of_odd_sizes_give_mintpys_answer_too(self):
        for case in (COMPRESSED, CUT):
            for tile in ("1x13", "7x5"):
                self.run_case(case, "--tile", tile)


def add_case_test(case):
    def test(self):
        self.run_case(case)

    setattr(Golden, f"test_{case[3:].replace('-', '_')}_is_as_mintpy", test)


for each in CASES:
    add_case_test(each)


if __name__ == "__main__":
    main()
