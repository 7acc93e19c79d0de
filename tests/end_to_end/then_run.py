"""A scene with holes and cut networks, run through both steps at once and one after the other."""
import json
import os

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, outcrop, sha256

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
