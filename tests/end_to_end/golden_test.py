"""Tests every golden case against MintPy's answer, to the tolerances that outcrop promises."""
import json
import os
import shutil

import mintpy_files as mp
from golden_case import GOLDEN, GoldenCase
from outcrop_run import main, outcrop

CASES = sorted(n for n in os.listdir(GOLDEN) if os.path.isdir(os.path.join(GOLDEN, n)))
COMPRESSED, CUT = "06-disconnected-network", "07-nan-holes"


def runs_of(case):
    with open(os.path.join(GOLDEN, case, "runs.json"), encoding="utf-8") as file:
        return json.load(file)


class Golden(GoldenCase):
    def run_case(self, case, *more):
        for run, arguments in runs_of(case).items():
            with self.subTest(case=case, run=run):
                folder = self.path(case, run)
                shutil.copytree(os.path.join(GOLDEN, case), folder, ignore=shutil.ignore_patterns("expected"))
                ended = outcrop("invert-network", *arguments.split(), "--progress", "none", *more, cwd=folder)
                self.assertEqual(ended.code, 0, ended.stderr)
                self.compare(os.path.join(GOLDEN, case, "expected", run), folder, mp.Products.NAMES)
                self.assert_nothing_unfinished(folder)
                shutil.rmtree(folder)

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
