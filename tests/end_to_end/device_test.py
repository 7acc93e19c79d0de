"""Tests of --device: the simulated device gives MintPy's answer and the host's, and plan and report say what runs."""
import json
import os

import numpy as np

import golden_test
import golden_topography_test
import mintpy_files as mp
import no_data_test
import same_bits_test
import solver_test
import topography_files as tp
from device_run import SIM, DeviceRun
from outcrop_run import STACK, main, outcrop
from then_run import DATES, FIRST, GEOMETRY, SECOND, ThenTest
from topography_run import TopographyTest


class GoldenOnTheSimulatedDevice(golden_test.Golden):
    def run_case(self, case, *more):
        super().run_case(case, *SIM, *more)


class SameBitsOnTheSimulatedDevice(same_bits_test.SameBits):
    def invert_well(self, *arguments, **options):
        return super().invert_well(*arguments, *SIM, **options)

    def test_for_any_number_of_queues(self):
        for queues in (1, 2, 5):
            self.assert_same("--config", self.config(f"[device]\nqueues = {queues}\n[tiles]\nslots = 5\n"), "--tile", "7x9")


class OnTheSimulatedDevice:
    """A mixin: the runs of another test."""

    def invert(self, *arguments, **options):
        return super().invert(*arguments, *SIM, **options)


class BatchedOnTheSimulatedDevice:
    def invert(self, *arguments, **options):
        return super().invert(*arguments, *SIM, "--solver", "batched", **options)


class Zeros(OnTheSimulatedDevice, no_data_test.Zeros):
    pass


class BatchedZeros(BatchedOnTheSimulatedDevice, no_data_test.Zeros):
    pass


class EmptyAreas(OnTheSimulatedDevice, no_data_test.EmptyAreas):
    pass


class BatchedEmptyAreas(BatchedOnTheSimulatedDevice, no_data_test.EmptyAreas):
    pass


class DroppedPairs(OnTheSimulatedDevice, no_data_test.DroppedPairs):
    pass


class ComponentMask(OnTheSimulatedDevice, no_data_test.ComponentMask):
    pass


class BatchedComponentMask(BatchedOnTheSimulatedDevice, no_data_test.ComponentMask):
    pass


class ReferencePixel(OnTheSimulatedDevice, no_data_test.ReferencePixel):
    pass


class BatchedReferencePixel(BatchedOnTheSimulatedDevice, no_data_test.ReferencePixel):
    pass


class Topography(TopographyTest):
    def test_baselines_of_the_date_and_of_the_pixel_give_the_hosts_answer(self):
        random = np.random.default_rng(5)
        rows, cols = 23, 17
        series = (tp.signal(rows, cols) + random.normal(0, 0.01, (12, rows, cols))).astype("f4")
        series[:, 3:5, 4] = 0
        series[4, 7] = np.nan
        bperp = tp.BPERP[:, None, None] + random.normal(0, 5, (12, rows, cols))
        for per_pixel in (False, True):
            self.write(rows, cols, series)
            tp.write_geometry(self.path(tp.GEOMETRY), rows, cols, bperp=bperp if per_pixel else None)
            host = self.correct_well("--tile", "5x17")
            device = self.correct_well("--tile", "5x17", *SIM)
            for name in tp.PRODUCTS:
                self.assertTrue(os.path.exists(self.path(name)))
            self.assertEqual(device.report["device"]["name"], "sim")
            self.assertEqual(device.report["pixels"], host.report["pixels"])
            for name in ("series", "residual", "dem"):
                a, b = getattr(host, name), getattr(device, name)
                np.testing.assert_allclose(b, a, rtol=0, atol=1e-6 * np.max(np.abs(a)), err_msg=name)


class BatchedNetwork(solver_test.Network):
    def invert_well(self, *arguments, **options):
        return super().invert_well(*arguments, *SIM, **options)

    def test_who_assembles_and_how_many_pixels_at_once_changes_no_bit(self):
        first = self.batched_hashes()
        for assembly in ("device", "host"):
            for batch in (5, 200):
                with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                    file.write(f'[device]\nassembly = "{assembly}"\nbatch = {batch}\n')
                self.assertEqual(self.batched_hashes("--config", "batched.toml", "--tile", "9x23"), first)

    def test_the_answer_is_that_of_the_structured_solver_on_the_host(self):
        for flags in ([], ["--min-norm-phase"], ["-w", "no"]):
            super().invert_well(*flags)
            host = mp.Products(self.folder)
            self.invert_well(*flags, "--solver", "batched")
            device = mp.Products(self.folder)
            np.testing.assert_array_equal(device.count, host.count)
            solver_test.assert_close(device.series, host.series)
            solver_test.assert_close(device.coherence, host.coherence)


class BatchedTopography(solver_test.Topography):
    """The products and counts of the structured solver on the host, whoever forms the design matrices."""

    def check(self, *arguments, **options):
        host = self.correct_well(*arguments, **options)
        for assembly in ("device", "host"):
            with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                file.write(f'[device]\nassembly = "{assembly}"\nbatch = 13\n')
            device = self.correct_well(*arguments, *SIM, "--solver", "batched", "--config", "batched.toml", **options)
            described = device.report["device"]
            self.assertEqual((described["name"], described["solver"], described["assembly"]),
                             ("sim", "batched", assembly))
            self.assertEqual(device.report["pixels"], host.report["pixels"])
            self.assertEqual(device.report["deviations"], host.report["deviations"])
            self.assertEqual("assemble" in device.report["stages"], assembly == "host")
            for name in ("dem", "series", "residual"):
                a, b = getattr(host, name), getattr(device, name)
                np.testing.assert_allclose(b, a, rtol=0, atol=1e-6 * max(np.max(np.abs(a)), 1e-3), err_msg=name)

    def test_the_plan_says_who_forms_how_many_design_matrices(self):
        self.write(2, 5, tp.signal(2, 5))
        plan = self.correct("--plan", *SIM, "--solver", "batched").stdout
        self.assertIn("batches of 64 pixels on a queue, design matrices formed by the device", plan)
        self.assertEqual(json.loads(self.correct("--plan=json", "--device", "cpu").stdout)["device"]["assembly"], "none")

class GoldenTopography(golden_topography_test.GoldenTopography):
    def run_case(self, case, *more):
        super().run_case(case, *SIM, *more)


class BatchedGoldenTopography(golden_topography_test.GoldenTopography):
    def run_case(self, case, *more):
        super().run_case(case, *SIM, "--solver", "batched", *more)


class BothSteps(ThenTest):
    DATASETS = ("timeseries", "temporalCoherence", "mask", "timeseries", "timeseries", "dem")

    def test_one_pass_gives_the_bits_of_two_runs_on_the_device(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        for options in ({"holes": True}, {"bperp": True}):
            self.write_geometry(**options)
            self.assert_same(["--calc-cov"], ["-g", GEOMETRY], [*SIM, "--tile", "5x7"], ["timeseriesDecorCov.h5"])

    def test_one_pass_gives_the_hosts_answer_and_the_same_files(self):
        self.write()
        self.write_geometry(bperp=True, holes=True)
        self.one_run(second=["-g", GEOMETRY])
        host = [mp.read(self.path("chain", n), d) for n, d in zip(FIRST + SECOND, self.DATASETS)]
        files, pixels = sorted(os.listdir(self.path("chain"))), self.report("chain.json")
        self.one_run(second=["-g", GEOMETRY], machine=SIM)
        report = self.report("chain.json")
        self.assertEqual(report["device"]["name"], "sim")
        self.assertEqual((report["pixels"], report["then"][0]["pixels"], report["deviations"]),
                         (pixels["pixels"], pixels["then"][0]["pixels"], pixels["deviations"]))
        self.assertEqual(sorted(os.listdir(self.path("chain"))), files)
        for name, dataset, expected in zip(FIRST + SECOND, self.DATASETS, host):
            found = mp.read(self.path("chain", name), dataset)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.max(np.abs(expected)), err_msg=name)

    def test_one_pass_in_batches_gives_the_bits_of_two_runs_whoever_forms_the_design_matrices(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        for options in ({"holes": True}, {"bperp": True, "holes": True}):
            for device in ("", 'assembly = "host"\nbatch = 13\nqueues = 2\n'):
                with self.subTest(options=options, device=device):
                    self.write_geometry(**options)
                    with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                        file.write(f"[device]\n{device}")
                    machine = [*SIM, "--solver", "batched", "--tile", "5x7", "--config", "batched.toml"]
                    one, two, chain = self.assert_same(["--calc-cov"], ["-g", GEOMETRY], machine,
                                                       ["timeseriesDecorCov.h5"])
                    self.assertGreater(one["pixels"]["min_norm"], 25)
                    assembly = "host" if device else "device"
                    described = chain["device"]
                    self.assertEqual((described["name"], described["solver"], described["assembly"]),
                                     ("sim", "batched", assembly))
                    for stages in (chain["stages"], chain["predicted"]["stages"]):
                        self.assertEqual("assemble" in stages, assembly == "host")
                    plan = outcrop("invert-network", STACK, "--plan", *machine, "--then", "correct-topography", "-g",
                                   GEOMETRY, cwd=self.folder)
                    self.assertRegex(plan.stdout, rf"batches of \d+ and then \d+ pixels .* formed by the {assembly}\n")

    def test_one_pass_in_batches_gives_the_hosts_answer(self):
        self.write()
        self.write_geometry(bperp=True, holes=True)
        self.one_run(second=["-g", GEOMETRY])
        host = [mp.read(self.path("chain", n), d) for n, d in zip(FIRST + SECOND, self.DATASETS)]
        pixels = self.report("chain.json")
        for runner in ("graph", "serial"):
            with open(self.path("run.toml"), "w", encoding="utf-8") as file:
                file.write(f'[run]\nrunner = "{runner}"\n')
            self.one_run(second=["-g", GEOMETRY], machine=[*SIM, "--solver", "batched", "--config", "run.toml"])
            report = self.report("chain.json")
            self.assertEqual((report["pixels"], report["then"][0]["pixels"], report["deviations"]),
                             (pixels["pixels"], pixels["then"][0]["pixels"], pixels["deviations"]))
            for name, dataset, expected in zip(FIRST + SECOND, self.DATASETS, host):
                found = mp.read(self.path("chain", name), dataset)
                np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.max(np.abs(expected)), err_msg=name)


class PlanAndReport(DeviceRun):
    def test_they_name_the_device_and_its_queues(self):
        plan = json.loads(self.invert("--plan=json", "--tile", self.TILE, *SIM).stdout)
        self.assertEqual(plan["device"]["name"], "sim")
        self.assertEqual(plan["device"]["queues"], plan["tiles"]["slots"])
        self.assertIn("simulated device", plan["memory"])
        self.assertEqual(self.sim("", "[device]\nqueues = 2\n").code, 0)
        report = self.report()
        self.assertEqual(report["device"]["queues"], 2)
        self.assertEqual(report["device"]["reason"], "asked for")
        samples = 2 * 7 * self.ROWS * self.COLS
        self.assertGreaterEqual(report["stages"]["copy_in"]["bytes"], 4 * samples)
        self.assertLess(report["stages"]["copy_in"]["bytes"], 1.1 * 4 * samples)  # the rows of a slot are padded
        for stage in ("copy_in", "solve", "copy_out"):
            self.assertGreater(report["stages"][stage]["elapsed_s"], 0)

    def test_a_small_device_holds_fewer_tiles_and_the_plan_says_so(self):
        with open(self.path("small.toml"), "w", encoding="utf-8") as file:
            file.write('[sim]\nmemory = "100K"\n')
        plan = json.loads(self.invert("--plan=json", "--tile", self.TILE, *SIM, "--config", "small.toml").stdout)
        self.assertEqual(plan["device"]["name"], "sim")
        self.assertLess(plan["tiles"]["slots"], 6)
        self.assertTrue(any("tiles in flight instead of 6" in note for note in plan["notes"]), plan["notes"])

    def test_auto_stays_on_the_host_and_says_why(self):
        run = self.invert("--report", "run.json")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn("running on the host: ", run.stderr)
        self.assertEqual(self.report()["device"]["name"], "cpu")
        self.assertNotEqual(self.report()["device"]["reason"], "")

    def test_cuda_without_a_device_is_refused_before_anything_is_written(self):
        for changes in ({}, {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "99"}):
            run = self.invert("--device", "cuda:77", env=changes)
            self.assert_refused(run, "--device cuda:77", "--device cpu runs on the host")
            self.assertEqual(run.stderr.count("--device cpu"), 1)


if __name__ == "__main__":
    main()
