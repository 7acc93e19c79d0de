"""Tests that both steps in one pass give the products of two runs, from one reading of the stack."""
import itertools
import json
import os
import shutil

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, main, sha256
from then_run import COLS, DATES, GEOMETRY, NUM_DATES, PAIRS, ROWS, ThenTest, samples


class SameProducts(ThenTest):
    GEOMETRIES = {"one angle": {}, "of the pixel": {"-g": {}}, "with holes": {"-g": {"holes": True}},
                  "baselines of the pixel": {"-g": {"bperp": True, "holes": True}},
                  "without range": {"-g": {"lacking": ("slantRangeDistance",)}}}

    def test_for_every_kind_of_geometry(self):
        self.write()
        for name, flags in self.GEOMETRIES.items():
            with self.subTest(name):
                for options in flags.values():
                    self.write_geometry(**options)
                self.assert_same(second=["-g", GEOMETRY] if flags else [])

    def test_for_every_storage_and_memory_and_number_of_threads(self):
        with open(self.path("serial.toml"), "w", encoding="utf-8") as file:
            file.write('[run]\nrunner = "serial"\n')
        storages = (None, {"chunks": (4, 9, 8), "compression": "lzf"},
                    {"chunks": (1, ROWS, COLS), "compression": "gzip", "shuffle": True})
        machines = (["--threads", "1"], ["--threads", "2", "--memory", "80M"], ["--tile", "5x7"],
                    ["--config", "serial.toml"])
        for storage, machine in itertools.product(storages, machines):
            with self.subTest(storage=storage, machine=machine):
                self.write(storage)
                self.write_geometry(bperp=True, storage=storage)
                self.assert_same(second=["-g", GEOMETRY], machine=machine)

    def test_for_masks_redundancy_and_other_options_of_both_steps(self):
        self.write()
        self.write_geometry()
        water = np.ones((ROWS, COLS), bool)
        water[3:9, 10:20] = False
        mp.write_map(self.path("waterMask.h5"), "waterMask", water)
        mp.write_map(self.path("avgSpatialCoh.h5"), "coherence", np.random.default_rng(1).random((ROWS, COLS)) // 0.1)
        self.assert_same(["-m", "waterMask.h5", "--min-redundancy", "2", "-w", "no", "--min-norm-phase"],
                         ["-g", GEOMETRY, "-s", DATES[4], "--period", "1.0", "0.5", "--ex", DATES[2], DATES[6],
                          "--poly-order", "1"])
        self.assert_same(["--mask-dset", "coherence", "--mask-thres", "0.3"],
                         ["-g", GEOMETRY, "--phase-velocity"])

    def test_with_a_status_map(self):
        self.write()
        self.two_runs(["--status-file", "status.h5"])
        expected = sha256(self.path("status.h5"))
        self.one_run(["--status-file", "status.h5"])
        self.assertEqual(sha256(self.path("status.h5")), expected)

    def test_with_covariances(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        self.assert_same(["--calc-cov"], more_first=["timeseriesDecorCov.h5"])

    def test_without_a_residual_and_with_the_answer_of_mintpy(self):
        self.write()
        self.write_geometry()
        self.assert_same(second=["-g", GEOMETRY, "--residual-file=no"])
        shutil.rmtree(self.path("two"))
        self.assert_same(machine=["--mintpy-compat"], second=["-g", GEOMETRY])

    def test_with_infinities_that_are_counted_in_the_products_of_their_step_alone(self):
        self.write()
        self.write_geometry(bperp=True)
        with h5py.File(self.stack, "r+") as file:
            file["unwrapPhase"][3, 7, 7] = np.inf
        one, two, chain = self.assert_same(second=["-g", GEOMETRY])
        self.assertEqual((len(one["deviations"]), len(two["deviations"]), len(chain["deviations"])), (1, 1, 2))

    def test_with_a_template_of_both_and_a_list_of_dates(self):
        self.write()
        self.write_geometry()
        with open(self.path("exclude_date.txt"), "w", encoding="utf-8") as file:
            file.write(f"{DATES[5]}\n")
        with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
            file.write("mintpy.networkInversion.weightFunc = fim\nmintpy.topographicResidual.polyOrder = 3\n"
                       "mintpy.topographicResidual.excludeDate = auto\nmintpy.deramp = no\n"
                       "mintpy.solidEarthTides = auto\nmintpy.ionosphericDelay.method = no\n")
        self.assert_same(machine=["-t", "run.cfg"], second=["-g", GEOMETRY])

    def test_range_offsets_are_corrected_too(self):
        self.write(more={"rangeOffset": samples(), "rangeOffsetStd": np.abs(samples(5))})
        self.two_runs_of_offsets()

    def two_runs_of_offsets(self):
        flags = ["-i", "rangeOffset"]
        os.makedirs(self.path("two"))
        self.run_well("invert-network", STACK, *flags, "--out-dir", "two")
        self.run_well("correct-topography", "two/timeseriesRg.h5", "--out-dir", "two")
        self.one_run(flags)
        for name in ("timeseriesRg.h5", "residualInvRg.h5", "numInvOffRg.h5"):
            self.assert_same_file(name, exact=True)
        with h5py.File(self.path("two", "timeseriesRg_demErr.h5")) as a, \
                h5py.File(self.path("chain", "timeseriesRg_demErr.h5")) as b:
            np.testing.assert_array_equal(a["timeseries"][()], b["timeseries"][()])

    def test_a_coherence_that_is_there_counts_when_the_quality_has_another_name(self):
        self.write()
        values = np.ones((ROWS, COLS), "f4")
        values[:, :9] = 0
        mp.write_map(self.path("temporalCoherence.h5"), "temporalCoherence", values)
        self.run_well("invert-network", STACK, "-o", "ts.h5", "q.h5", "c.h5", "--then", "correct-topography")
        together = mp.read(self.path("ts_demErr.h5"), "timeseries")
        self.assertTrue(np.all(together[:, :, :9] == 0))
        self.run_well("correct-topography", "ts.h5")
        np.testing.assert_array_equal(mp.read(self.path("ts_demErr.h5"), "timeseries"), together)

    def test_products_go_where_two_runs_put_them(self):
        self.write()
        os.makedirs(self.path("a"))
        self.run_well("invert-network", STACK, "-o", "a/ts.h5", "a/q.h5", "a/c.h5", "--then", "correct-topography",
                      "--dem-err-file", "a/dem.h5")
        self.assertEqual(sorted(n for n in os.listdir(self.path("a"))),
                         ["c.h5", "dem.h5", "q.h5", "timeseriesResidual.h5", "ts.h5", "ts_demErr.h5"])


class OneReading(ThenTest):
    def test_the_bytes_read_are_those_of_the_stack_and_the_geometry(self):
        for storage in (None, {"chunks": (4, 9, 8), "compression": "gzip"}):
            with self.subTest(storage):
                self.write(storage)
                self.write_geometry(bperp=True, storage=storage)
                self.assert_same(second=["-g", GEOMETRY])
                with h5py.File(self.path(GEOMETRY)) as file:
                    geometry = sum(file[n].id.get_storage_size() for n in file if n != "date")
                one, chain = self.report("one.json"), self.report("chain.json")
                self.assertEqual(chain["bytes"]["needed"], one["bytes"]["needed"] + geometry)
                self.assertEqual(chain["bytes"]["read"], one["bytes"]["read"] + geometry)

    def test_a_scene_larger_than_the_memory_is_read_once_within_it(self):
        self.run_well("simulate", ".", "--rows", "400", "--cols", "500", "--dates", "24", "--pairs-per-date", "3",
                      "--nan", "0.1")
        cap = 96 * 2**20
        self.assertGreater(os.path.getsize(self.stack), cap)
        second = ["-g", GEOMETRY]
        self.assert_same(second=second, machine=["--memory", "96M"])
        one, chain = self.report("one.json"), self.report("chain.json")
        geometry = sum(mp.read(self.path(GEOMETRY), n).nbytes for n in ("incidenceAngle", "slantRangeDistance"))
        self.assertEqual(chain["bytes"]["read"], one["bytes"]["read"] + geometry)

    def test_a_plan_names_the_inputs_of_both_steps_and_writes_nothing(self):
        self.write()
        self.write_geometry()
        before = self.entries()
        run = self.run_well("invert-network", STACK, "--then", "correct-topography", "-g", GEOMETRY, "--plan")
        self.assertIn("temporalCoherence.h5", run.stdout)
        self.assertIn("avgSpatialCoh.h5", run.stdout)
        plan = json.loads(self.run_well("invert-network", STACK, "--plan=json", "--then", "correct-topography", "-g",
                                        GEOMETRY).stdout)
        pixels = ROWS * COLS
        self.assertEqual(plan["bytes"]["needed"], (2 * len(PAIRS) + 2) * pixels * 4)
        self.assertEqual(plan["bytes"]["output"], (3 * NUM_DATES + 3) * pixels * 4)
        self.assertEqual(self.entries(), before)


if __name__ == "__main__":
    main()
