"""Tests of --solver: both solvers give the same products, and a user learns which one ran and why."""
import json

import numpy as np

import mintpy_files as mp
import topography_files as tp
from outcrop_run import SceneTest, main
from topography_run import TopographyTest

CLOSE = 1e-6  # of the largest value
SCENE = {"STARTING_RANGE": str(tp.RANGE), "RANGE_PIXEL_SIZE": "0", "CENTER_INCIDENCE_ANGLE": str(tp.INCIDENCE)}


def ragged_samples():
    """Noise, holes, cut networks, empty pixels."""
    random = np.random.default_rng(7)
    samples = mp.interferograms(mp.history(31, 23, growth=0.001))
    samples += random.normal(0, 0.3, samples.shape).astype("f4")
    samples[random.random(samples.shape) < 0.35] = np.nan
    samples[:, 20:30, 5:9] = 0
    samples[:, 0, 0] = mp.CONSTANTS
    return samples


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE * np.nanmax(np.abs(expected)))


class Network(SceneTest):
    def setUp(self):
        super().setUp()
        coherence = np.random.default_rng(8).random((7, 31, 23))
        mp.write_stack(self.stack, ragged_samples(), coherence=coherence)

    def report(self, *arguments):
        self.invert_well(*arguments, "--report", "run.json")
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)

    def batched_hashes(self, *arguments):
        self.invert_well("--solver", "batched", *arguments)
        return self.product_hashes()

    def test_both_solvers_give_the_same_products_and_counts(self):
        for norm in ([], ["--min-norm-phase"]):
            with self.subTest(norm):
                structured = self.report(*norm)
                first = mp.Products(self.folder)
                batched = self.report(*norm, "--solver", "batched")
                second = mp.Products(self.folder)
                self.assertEqual(batched["pixels"], structured["pixels"])
                self.assertGreater(batched["pixels"]["min_norm"], 50)
                self.assertEqual(batched["deviations"], structured["deviations"])
                np.testing.assert_array_equal(second.count, first.count)
                assert_close(second.series, first.series)
                assert_close(second.coherence, first.coherence)

    def test_threads_tiles_and_memory_change_no_bit_of_the_batched_solver(self):
        first = self.batched_hashes("--threads", "1")
        for arguments in (["--threads", "4"], ["--tile", "1x23"], ["--tile", "7x5"], ["--memory", "80M"]):
            with self.subTest(arguments):
                self.assertEqual(self.batched_hashes(*arguments), first)

    def test_the_plan_says_which_solver_runs_and_why(self):
        for arguments, words in ((["--solver", "batched"], "batched: asked for"),
                                 (["--solver", "structured"], "structured: asked for; no G_batch is formed"),
                                 ([], "no G_batch is formed")):
            self.assertIn(words, self.invert("--plan", *arguments).stdout)
        device = {solver: json.loads(self.invert("--plan=json", "--solver", solver).stdout)["device"]
                  for solver in ("auto", "structured", "batched")}
        self.assertEqual([d["solver"] for d in device.values()], ["structured", "structured", "batched"])

    def test_the_report_names_the_solver(self):
        self.assertEqual(self.report("--solver", "batched")["device"]["solver"], "batched")
        self.assertEqual(self.report()["device"]["solver"], "structured")

    def test_the_configuration_can_choose_it_and_wrong_names_are_refused(self):
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write('[device]\nsolver = "batched"\n')
        self.assertEqual(self.report("--config", "run.toml")["device"]["solver"], "batched")
        self.assertEqual(self.invert("--solver", "guess").code, 2)
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write('[device]\nsolver = "guess"\n')
        run = self.invert("--config", "run.toml")
        self.assertEqual(run.code, 2)
        self.assertIn("guess", run.stderr)

    def test_another_solver_is_no_reason_to_update(self):
        self.invert_well()
        before = self.product_hashes()
        self.assertIn("update: skip", self.invert_well("--update", "--solver", "batched").run.stderr)
        self.assertEqual(self.product_hashes(), before)


class Topography(TopographyTest):
    def check(self, *arguments, **options):
        structured = self.correct_well(*arguments, **options)
        batched = self.correct_well(*arguments, "--solver", "batched", **options)
        self.assertEqual(batched.report["pixels"], structured.report["pixels"])
        self.assertEqual(batched.report["deviations"], structured.report["deviations"])
        self.assertEqual(batched.report["device"]["solver"], "batched")
        for name in ("dem", "series", "residual"):
            scale = max(float(np.max(np.abs(getattr(structured, name)))), 1e-3)
            np.testing.assert_allclose(getattr(batched, name), getattr(structured, name), rtol=0, atol=CLOSE * scale)

    def test_both_solvers_give_the_same_products_and_counts(self):
        series = tp.signal(3, 40)
        series += np.random.default_rng(2).normal(0, 0.01, series.shape).astype("f4")
        series[5, 0, 2] = np.nan
        series[:, 1, 4] = 0
        bperp = np.broadcast_to(tp.BPERP[:, None, None], (12, 3, 40)).copy()
        bperp[:, 2, :7] = 33  # no column of its own
        bperp[:, 2, 7:9] = (10 * np.arange(12))[:, None]  # the same as the trend
        self.write(3, 40, series)
        for own in (None, bperp):
            tp.write_geometry(self.path(tp.GEOMETRY), 3, 40, bperp=own)
            for arguments in ([], ["--poly-order", "3", "-s", "20200425"], ["--phase-velocity"],
                              ["-s", "20200425", "20200426"], ["-s", "20300101"]):
                with self.subTest(arguments, own=own is not None):
                    self.check(*arguments)
        self.write(3, 40, series, geometry=False, attributes=SCENE)
        self.check(geometry=False)

    def test_baselines_that_do_not_differ_are_everywhere_the_references(self):
        self.write(2, 5, tp.signal(2, 5), bperp=np.full(12, 7.0))
        self.check()


if __name__ == "__main__":
    main()
