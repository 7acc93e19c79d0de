"""Tests correct-topography on the golden cases that have DEM errors, against MintPy's answer."""
import json
import os
import shutil

import mintpy_files as mp
import topography_files as tp
from golden_case import GOLDEN, GoldenCase
from outcrop_run import main, outcrop

CASES = sorted(n for n in os.listdir(GOLDEN) if os.path.exists(os.path.join(GOLDEN, n, "topography.json")))
EXCLUDED = "mintpy.topographicResidual.excludeDate"  # written expanded


class GoldenTopography(GoldenCase):
    def run_case(self, case, *more):
        with open(os.path.join(GOLDEN, case, "topography.json"), encoding="utf-8") as file:
            runs = json.load(file)
        for run, arguments in runs.items():
            with self.subTest(case=case, run=run):
                folder = self.path(case, run)
                shutil.copytree(os.path.join(GOLDEN, case), folder)
                ended = outcrop("correct-topography", *arguments.split(), "--progress", "none", *more, cwd=folder)
                self.assertEqual(ended.code, 0, ended.stderr)
                self.compare(os.path.join(GOLDEN, case, "expected", run), folder, tp.PRODUCTS, [EXCLUDED])
                self.assert_nothing_unfinished(folder)
                shutil.rmtree(folder)

    def test_there_are_cases_with_baselines_of_the_pixel_and_of_the_date(self):
        self.assertEqual(CASES, ["13-topo-bperp3d", "14-topo-bperp1d"])

    def test_baselines_of_the_pixel_are_as_in_mintpy(self):
        self.run_case(CASES[0])

    def test_baselines_of_the_date_are_as_in_mintpy(self):
        self.run_case(CASES[1])

    def test_tiles_of_odd_sizes_give_mintpys_answer_too(self):
        for case in CASES:
            self.run_case(case, "--tile", "7x5", "--threads", "3")

    def test_a_list_of_dates_is_written_expanded(self):
        folder = self.path("all")
        shutil.copytree(os.path.join(GOLDEN, CASES[0]), folder)
        outcrop("correct-topography", "expected/main/timeseries.h5", "-t", "all.cfg", "-o", tp.PRODUCTS[0], "-g",
                tp.GEOMETRY, cwd=folder)
        with open(os.path.join(folder, "exclude_date.txt"), encoding="utf-8") as file:
            dates = sorted(file.read().split())
        self.assertEqual(mp.attributes_of(os.path.join(folder, tp.PRODUCTS[0]))[EXCLUDED], str(dates))


if __name__ == "__main__":
    main()
