"""Tests that both steps in one pass give the products of two runs, from one reading of the stack."""
import itertools
import json
import os
import shutil
import unittest

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, finish, main, outcrop, sha256, start, stop_in_the_middle

GEOMETRY = "inputs/geometryRadar.h5"
FIRST = ("timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5")
SECOND = ("timeseries_demErr.h5", "timeseriesResidual.h5", "demErr.h5")

NUM_DATES = 9
DATES = [str(d).replace("-", "") for d in np.datetime64("2020-01-01") + 24 * np.arange(NUM_DATES)]
PAIRS = [(i, i + step) for step in (1, 2, 3) for i in range(NUM_DATES - step)]
ROWS, COLS = 37, 29
ATTRIBUTES = {"CENTER_LINE_UTC": "65432.1", "STARTING_RANGE": "845000", "RANGE_PIXEL_SIZE": "2.3",
              "CENTER_INCIDENCE_ANGLE": "36.5", "EARTH_RADIUS": "6371000", "HEIGHT": "693000", "NO_DATA_VALUE": "0.0"}


def samples(seed=3):
    """Noise, holes, cut networks, empty pixels."""
    random = np.random.default_rng(seed)
    phase = np.cumsum(random.normal(0, 1, (NUM_DATES, ROWS, COLS)), axis=0)
    phase -= phase[:, :1, :1]
    values = mp.interferograms(phase, PAIRS, 0.1 + random.random(len(PAIRS)))
    values += random.normal(0, 0.2, values.shape).astype("f4")
    reference = values[:, 0, 0].copy()
    values[random.random(values.shape) < 0.25] = np.nan
    values[:, 20:24, 5:9] = 0
    values[:, 0, 0] = reference
    return values


class ThenTest(SceneTest):
    def write(self, storage=None, **options):
        random = np.random.default_rng(4)
        bperp = random.normal(0, 90, NUM_DATES)
        options.setdefault("coherence", random.random((len(PAIRS), ROWS, COLS)))
        mp.write_stack(self.stack, samples(), PAIRS, DATES, bperp=[bperp[b] - bperp[a] for a, b in PAIRS],
                       storage=storage, **{"attributes": ATTRIBUTES, **options})

    def write_geometry(self, bperp=False, holes=False, storage=None, lacking=()):
        random = np.random.default_rng(6)
        images = {"incidenceAngle": 30 + 10 * random.random((ROWS, COLS)),
                  "slantRangeDistance": 8e5 + 1e4 * random.random((ROWS, COLS))}
        if holes:
            images["incidenceAngle"][5:8, 3:11] = np.nan
            images["slantRangeDistance"][30, :] = 0
        if bperp:
            images["bperp"] = np.cumsum(random.normal(0, 60, (NUM_DATES, ROWS, COLS)), axis=0)
            images["bperp"][4, 11, 12] = np.nan
        with h5py.File(self.path(GEOMETRY), "w") as file:
            for name, values in images.items():
                if name in lacking:
                    continue
                kind = {} if storage is None else {**storage, "chunks": (1, *storage["chunks"][1:])[-values.ndim:]}
                file.create_dataset(name, data=values.astype("f4"), **kind)
            if bperp:
                file["date"] = np.array(DATES, "S8")
            file.attrs.update({"FILE_TYPE": "geometry", "LENGTH": str(ROWS), "WIDTH": str(COLS)})

    def run_well(self, *arguments, report=None):
        if report:
            arguments = [arguments[0], arguments[1], "--report", report, *arguments[2:]]
        run = outcrop(*arguments, cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        return run

    def report(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def two_runs(self, first=(), second=(), machine=()):
        """Invert, then correct, in the folder `two`."""
        os.makedirs(self.path("two"), exist_ok=True)
        common = ("--progress", "none", *machine, "--out-dir", "two")
        self.run_well("invert-network", STACK, *common, *first, report="one.json")
        self.run_well("correct-topography", "two/timeseries.h5", *common, *second, report="two.json")

    def one_run(self, first=(), second=(), machine=()):
        os.makedirs(self.path("chain"), exist_ok=True)
        return self.run_well("invert-network", STACK, "--progress", "none", "--out-dir", "chain", *machine, *first,
                             "--then", "correct-topography", *second, report="chain.json")

    def assert_same_file(self, name, exact):
        """The same bytes, or the same datasets and attributes but for what names the run."""
        one, two = self.path("chain", name), self.path("two", name)
        if exact:
            self.assertEqual(sha256(one), sha256(two), name)
            return
        with h5py.File(one) as a, h5py.File(two) as b:
            self.assertEqual(list(a), list(b), name)
            for dataset in a:
                self.assertEqual((a[dataset].dtype, a[dataset].shape, a[dataset].chunks, a[dataset].compression),
                                 (b[dataset].dtype, b[dataset].shape, b[dataset].chunks, b[dataset].compression))
                self.assertEqual(a[dataset][()].tobytes(), b[dataset][()].tobytes(), f"{name} {dataset}")
                self.assertEqual(dict(a[dataset].attrs), dict(b[dataset].attrs))
            of_run = ("outcrop.complete", "outcrop.run_id")
            attributes = [{k: v for k, v in f.attrs.items() if k not in of_run} for f in (a, b)]
            self.assertEqual(*attributes, name)
            marks = [json.loads(f.attrs["outcrop.complete"]) for f in (a, b)]
            self.assertTrue(marks[0]["input"]["series"].startswith("run "))
            for mark in marks:
                del mark["input"]["series"], mark["input"]["temporal coherence"]
            self.assertEqual(*marks, name)

    def assert_same(self, first=(), second=(), machine=(), more_first=()):
        self.two_runs(first, second, machine)
        self.one_run(first, second, machine)
        for name in (*FIRST, *more_first):
            self.assert_same_file(name, exact=True)
        names = [n for n in SECOND if n in os.listdir(self.path("two"))]
        self.assertIn(SECOND[0], names)
        for name in names:
            self.assert_same_file(name, exact=False)
        self.assertEqual(sorted(os.listdir(self.path("chain"))), sorted(os.listdir(self.path("two"))))
        one, two, chain = (self.report(n) for n in ("one.json", "two.json", "chain.json"))
        self.assertGreater(two["pixels"]["solved"], 100)
        self.assertEqual(chain["pixels"], one["pixels"])
        self.assertEqual(chain["then"][0]["pixels"], two["pixels"])
        self.assertEqual(chain["deviations"], {**one["deviations"], **two["deviations"]})
        self.assertEqual(chain["bytes"]["written"], one["bytes"]["written"] + two["bytes"]["written"])
        return one, two, chain


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


class Update(ThenTest):
    def setUp(self):
        super().setUp()
        self.write()
        self.write_geometry()
        self.then = ["--then", "correct-topography", "-g", GEOMETRY]

    def update(self, *arguments):
        run = outcrop(*arguments, "--update", "--progress", "none", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        return "skip" if "update: skip" in run.stderr else run.stderr

    def test_products_of_one_pass_are_up_to_date_for_it_and_for_each_step(self):
        self.run_well("invert-network", STACK, *self.then)
        self.assertEqual(self.update("invert-network", STACK, *self.then), "skip")
        self.assertEqual(self.update("invert-network", STACK), "skip")
        self.assertEqual(self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY), "skip")

    def test_products_of_two_runs_are_up_to_date_for_one_pass(self):
        self.run_well("invert-network", STACK)
        self.run_well("correct-topography", "timeseries.h5", "-g", GEOMETRY)
        self.assertEqual(self.update("invert-network", STACK, *self.then), "skip")

    def test_a_change_for_either_step_is_a_reason(self):
        self.run_well("invert-network", STACK, *self.then)
        self.assertIn("polyOrder", self.update("invert-network", STACK, *self.then, "-p", "1"))
        self.assertIn("weightFunc", self.update("invert-network", STACK, "-w", "no", *self.then))
        self.run_well("invert-network", STACK, *self.then)
        os.remove(self.path("demErr.h5"))
        self.assertIn("demErr.h5", self.update("invert-network", STACK, *self.then))

    def test_a_series_that_was_touched_or_replaced_since_is_a_reason(self):
        self.run_well("invert-network", STACK, *self.then)
        os.utime(self.path("timeseries.h5"))
        self.assertIn("series", self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY))
        self.run_well("invert-network", STACK, *self.then)
        self.run_well("invert-network", STACK, "-w", "no")
        self.assertIn("update: run", self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY))


class Refusals(ThenTest):
    def setUp(self):
        super().setUp()
        self.write()
        self.write_geometry()

    def refused(self, words, *arguments, stack=STACK):
        run = outcrop("invert-network", stack, "--progress", "none", *arguments, cwd=self.folder)
        self.assertEqual((run.code, run.stdout), (2, ""), run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual([n for n in self.entries() if n in FIRST + SECOND], [])
        self.assert_nothing_unfinished()

    def template(self, text):
        with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
            file.write(text)
        return ["-t", "run.cfg"]

    def test_a_template_that_turns_on_a_correction_between_the_steps(self):
        for key, value, shown in (("mintpy.solidEarthTides", "yes", "True"),
                                  ("mintpy.ionosphericDelay.method", "split_spectrum", "split_spectrum"),
                                  ("mintpy.troposphericDelay.method", "height_correlation", "height_correlation"),
                                  ("mintpy.troposphericDelay.method", "auto", "pyaps"),
                                  ("mintpy.deramp", "linear", "linear")):
            with self.subTest(key=key, value=value):
                template = self.template(f"{key} = {value}\n")
                self.refused((key, shown, "--then-anyway", "run.cfg"), *template, "--then", "correct-topography")
        self.refused(("mintpy.deramp",), "--then", "correct-topography", *template)
        run = self.run_well("invert-network", STACK, *template, "--then", "correct-topography", "--then-anyway")
        self.assertIn("mintpy.deramp = linear", run.stderr)
        self.assertEqual(sorted(n for n in self.entries() if n.endswith(".h5")), sorted(FIRST + SECOND))

    def test_corrections_that_are_off_are_no_reason(self):
        template = self.template("mintpy.troposphericDelay.method = no\nmintpy.deramp = auto\n"
                                 "mintpy.solidEarthTides = auto\nmintpy.ionosphericDelay.method = none\n")
        self.run_well("invert-network", STACK, *template, "--then", "correct-topography")

    def test_steps_that_cannot_follow(self):
        for arguments in (["--then"], ["--then", "info"], ["--then=invert-network"], ["correct-topography"]):
            with self.subTest(arguments):
                self.refused(("correct-topography",), *arguments)

    def test_options_of_one_step_given_to_the_other_and_options_given_twice(self):
        self.refused(("-w",), "--then", "correct-topography", "-w", "no")
        self.refused(("poly-order",), "--poly-order", "1", "--then", "correct-topography")
        self.refused(("--memory", "--then"), "--memory", "1G", "--then", "correct-topography", "--memory", "2G")
        self.refused(("ambiguous",), "--then", "correct-topography", "--re", "no")

    def test_observations_that_do_not_depend_on_the_elevation_model(self):
        mp.write_stack(self.stack, samples(), PAIRS, DATES, attributes=ATTRIBUTES,
                       more={"azimuthOffset": samples(), "azimuthOffsetStd": samples()})
        self.refused(("azimuthOffset", "--then"), "-i", "azimuthOffset", "--then", "correct-topography")
        shutil.copy(self.stack, self.path("inputs/ionStack.h5"))
        self.refused(("ionStack.h5", "--then"), "--then", "correct-topography", stack="inputs/ionStack.h5")

    def test_products_that_would_replace_each_other_or_the_inputs(self):
        then = ["--then", "correct-topography", "-g", GEOMETRY]
        self.refused(("timeseries.h5",), *then, "-o", "timeseries.h5")
        self.refused(("temporalCoherence.h5",), *then, "--dem-err-file", "./temporalCoherence.h5")
        self.refused((STACK,), *then, "--residual-file", STACK)
        self.refused((GEOMETRY,), "-o", "a.h5", "b.h5", GEOMETRY, *then)
        self.refused(("temporalCoherence.h5",), "-o", "a.h5", "b.h5", "temporalCoherence.h5", *then)

    def test_what_correct_topography_itself_refuses(self):
        self.refused(("-p", "poly-order"), "--then", "correct-topography", "-p", "40")
        self.refused(("no.h5",), "--then", "correct-topography", "-g", "no.h5")
        mp.set_attributes(self.stack, STARTING_RANGE=None)
        self.refused(("STARTING_RANGE",), "--then", "correct-topography")

    def test_a_second_run_on_either_series_at_the_same_time(self):
        lock = self.path(".outcrop", "timeseries_demErr.h5.lock")
        other = start(["correct-topography", self.slow_series(), "-o", "timeseries_demErr.h5", "--tile", "1x1",
                       "--threads", "1", "--progress", "none"], self.folder)
        try:
            while not os.path.exists(lock) and other.poll() is None:
                pass
            other.send_signal(19)  # SIGSTOP
            run = outcrop("invert-network", STACK, "--then", "correct-topography", cwd=self.folder)
            self.assertEqual(run.code, 2, run.stderr)
            self.assertIn("another run is writing timeseries_demErr.h5", run.stderr)
        finally:
            other.send_signal(18)
            finish(other)

    def slow_series(self):
        os.makedirs(self.path("old"))
        self.run_well("invert-network", STACK, "--out-dir", "old")
        return "old/timeseries.h5"


class Failures(ThenTest):
    def run_all(self, *second):
        return outcrop("invert-network", STACK, "--progress", "none", "--tile", "8x29", "--then", "correct-topography",
                       "-g", GEOMETRY, *second, cwd=self.folder)

    def hashes(self):
        return [sha256(self.path(n)) for n in FIRST + SECOND]

    def assert_nothing_new(self):
        self.assertEqual([n for n in self.entries() if n in FIRST + SECOND], [])
        self.assert_nothing_unfinished()

    def test_an_implausible_angle_in_the_last_tile_leaves_no_product_of_either_step(self):
        self.write()
        self.write_geometry()
        with h5py.File(self.path(GEOMETRY), "r+") as file:
            file["incidenceAngle"][ROWS - 1, 3] = 200
        run = self.run_all()
        self.assertEqual(run.code, 1, run.stderr)
        self.assertIn("incidenceAngle", run.stderr)
        self.assert_nothing_new()
        self.assertEqual(self.run_all("--accept-geometry").code, 0)

    def test_a_damaged_chunk_of_the_geometry_leaves_older_products_of_both_steps_as_they_were(self):
        self.write()
        self.write_geometry(storage={"chunks": (1, 8, COLS), "compression": "gzip"})
        self.assertEqual(self.run_all().code, 0)
        before = self.hashes()
        with h5py.File(self.path(GEOMETRY)) as file:
            info = file["slantRangeDistance"].id.get_chunk_info_by_coord((16, 0))
        with open(self.path(GEOMETRY), "r+b") as raw:
            raw.seek(info.byte_offset)
            raw.write(b"\xff" * info.size)
        self.assertEqual(self.run_all().code, 1)
        self.assertEqual(self.hashes(), before)
        self.assert_nothing_unfinished()

    def test_a_stopped_run_leaves_no_product_of_either_step(self):
        self.write()
        self.write_geometry()
        process = start(["invert-network", STACK, "--tile", "1x1", "--threads", "1", "--progress", "none", "--then",
                         "correct-topography", "-g", GEOMETRY], self.folder)
        stop_in_the_middle(process, self.folder, 15)
        self.assertEqual(finish(process).code, 130)
        self.assert_nothing_new()


class Help(unittest.TestCase):
    def test_it_shows_an_example_and_the_options_of_the_second_step(self):
        text = outcrop("invert-network", "--help").stdout
        self.assertIn("--then correct-topography -g", text)
        self.assertNotIn("SUBCOMMAND", text)
        text = outcrop("invert-network", STACK, "--then", "correct-topography", "--help").stdout
        self.assertIn("--poly-order", text)
        self.assertIn("--then correct-topography", text)
        self.assertNotIn("--weight-func", text)


if __name__ == "__main__":
    main()
