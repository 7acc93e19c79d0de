"""Tests of the products of correct-topography, of what is refused, and of --update."""
import os
import time

import h5py
import numpy as np

import mintpy_files as mp
import topography_files as tp
from outcrop_run import main, outcrop
from topography_run import TopographyTest


class Products(TopographyTest):
    def test_products_are_where_and_as_mintpy_has_them(self):
        extra = {"other": np.full((1, 4), 7.0, "f4"), "numbers": np.arange(5, dtype="i4"), "name": np.bytes_("text")}
        self.write(more=extra, attributes={"mintpy.networkInversion.weightFunc": "var", "outcrop.complete": "{}"})
        self.correct_well()
        for name in tp.PRODUCTS[:2]:
            with h5py.File(self.path(name)) as file:
                self.assertEqual(set(file), {"timeseries", "date", "bperp", *extra})
                np.testing.assert_array_equal(file["date"][()], np.array(tp.DATES, "S8"))
                np.testing.assert_array_equal(file["bperp"][()], tp.BPERP)
                np.testing.assert_array_equal(file["numbers"][()], extra["numbers"])
                self.assertEqual(file["numbers"].dtype, np.int32)
                np.testing.assert_array_equal(file["other"][()], np.zeros((1, 4), "f4"))
                self.assertEqual(file["name"][()], b"text")
        with h5py.File(self.path("demErr.h5")) as file:
            self.assertEqual(set(file), {"dem"})
        for name, kind in zip(tp.PRODUCTS, ("timeseries", "timeseries", "dem")):
            attributes = mp.attributes_of(self.path(name))
            expected = {"FILE_TYPE": kind, "UNIT": "m", "REF_DATE": tp.DATES[0], "START_DATE": tp.DATES[0],
                        "END_DATE": tp.DATES[-1], "mintpy.networkInversion.weightFunc": "var",
                        "mintpy.topographicResidual.polyOrder": "2", "mintpy.topographicResidual.phaseVelocity": "False",
                        "mintpy.topographicResidual.stepDate": "[]", "mintpy.topographicResidual.excludeDate": "[]",
                        "outcrop.deviations": "{}"}
            self.assertEqual({k: attributes[k] for k in expected}, expected)
            self.assertIn("correct-topography", attributes["outcrop.complete"])

    def test_names_and_folders_can_be_chosen(self):
        self.write()
        os.makedirs(self.path("deep"))
        self.correct("-o", "deep/c.h5", "--dem-err-file", "d.h5")
        self.assertEqual(self.entries(self.path("deep")), ["c.h5", "timeseriesResidual.h5"])
        self.assertIn("d.h5", self.entries())
        self.correct("--out-dir", "deep")
        self.assertEqual(self.entries(self.path("deep")), ["c.h5", *sorted(tp.PRODUCTS)])
        self.correct("--residual-file", "no", "-o", "c.h5", "--dem-error-file", "e.h5")
        self.assertNotIn("timeseriesResidual.h5", self.entries())
        np.testing.assert_array_equal(mp.read(self.path("c.h5"), "timeseries"), mp.read(self.path("deep/c.h5"), "timeseries"))

    def test_impossible_names_are_refused(self):
        self.write()
        for arguments in (["-o", tp.SERIES], ["-o", "c.txt"], ["-o", "c.h5", "--dem-err-file", "./c.h5"]):
            self.assert_refused(self.correct(*arguments))

    def test_what_is_no_series_is_refused(self):
        self.write()
        run = outcrop("correct-topography", tp.GEOMETRY, cwd=self.folder)
        self.assert_refused(run, tp.GEOMETRY, "timeseries")
        self.write(series=(1000 * tp.signal(1, 4)).astype("i4"))
        self.assert_refused(self.correct(), "integers")

    def test_dates_with_times_of_day_stay_so(self):
        dates = [d + "T0630" for d in tp.DATES]
        self.write(dates=dates, attributes={"REF_DATE": dates[0]})
        self.assert_signal(self.correct_well())
        self.assertEqual(mp.read(self.path(tp.PRODUCTS[0]), "date").dtype, np.dtype("S13"))

    def test_tiles_threads_and_storage_change_no_bit(self):
        bperp = tp.BPERP[:, None, None] + np.random.default_rng(2).normal(0, 20, (12, 23, 31))
        series = tp.signal(23, 31, bperp) + np.random.default_rng(3).normal(0, 0.01, (12, 23, 31)).astype("f4")
        self.write(23, 31, series)
        tp.write_geometry(self.path(tp.GEOMETRY), 23, 31, bperp=bperp)
        one = self.correct_well("--threads", "1")
        tp.write_series(self.path(tp.SERIES), series, storage={"chunks": (5, 7, 11), "compression": "gzip", "shuffle": True})
        tp.write_geometry(self.path(tp.GEOMETRY), 23, 31, bperp=bperp, storage={"chunks": True, "compression": "lzf"})
        other = self.correct_well("--threads", "2", "--tile", "7x11", "--memory", "300M")
        for name in ("dem", "series", "residual"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


class Update(TopographyTest):
    def setUp(self):
        super().setUp()
        self.write()
        self.correct_well()

    def update(self, *arguments):
        run = self.correct("--update", *arguments)
        self.assertEqual(run.code, 0, run.stderr)
        did_run = "update: run" in run.stderr
        self.assertNotEqual(did_run, "update: skip" in run.stderr, run.stderr)
        return did_run, run.stderr

    def test_nothing_changed_is_skipped(self):
        self.assertFalse(self.update()[0])
        self.assertFalse(self.update("--threads", "1", "--tile", "1x2")[0])

    def test_each_change_is_a_reason_and_named(self):
        for word, *flags in (("polyOrder", "-p", "3"), ("phaseVelocity", "--phase-velocity"),
                             ("stepDate", "-s", "20200510"), ("excludeDate", "--ex", tp.DATES[3]),
                             ("periodic", "--periodic", "1")):
            with self.subTest(word):
                self.correct_well()
                did_run, said = self.update(*flags)
                self.assertTrue(did_run, said)
                self.assertIn(word, said)
                self.assertFalse(self.update(*flags)[0])

    def test_changed_inputs_and_missing_products_are_reasons(self):
        for word, change in (("geometry", lambda: tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, incidence=39)),
                             ("series", lambda: mp.set_attributes(self.path(tp.SERIES), NOTE="changed")),
                             ("demErr.h5", lambda: os.remove(self.path("demErr.h5"))),
                             ("temporal coherence", lambda: mp.write_map(self.path("temporalCoherence.h5"),
                                                                         "temporalCoherence", np.ones((1, 4), "f4")))):
            with self.subTest(word):
                change()
                did_run, said = self.update()
                self.assertTrue(did_run, said)
                self.assertIn(word, said)
                self.assertFalse(self.update()[0])

    def test_products_of_mintpy_are_judged_by_its_rule(self):
        with h5py.File(self.path(tp.PRODUCTS[0]), "r+") as file:
            for key in [k for k in file.attrs if k.startswith("outcrop.")]:
                del file.attrs[key]
        os.remove(self.path("demErr.h5"))
        self.assertFalse(self.update()[0])
        self.assertTrue(self.update("-p", "1")[0])
        later = time.time() + 100
        with h5py.File(self.path(tp.PRODUCTS[0]), "r+") as file:
            for key in [k for k in file.attrs if k.startswith("outcrop.")]:
                del file.attrs[key]
        os.utime(self.path(tp.GEOMETRY), (later, later))
        did_run, said = self.update("-p", "1")
        self.assertTrue(did_run, said)
        self.assertIn(tp.GEOMETRY, said)


if __name__ == "__main__":
    main()
