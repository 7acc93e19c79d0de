"""Tests of correct-topography as a user runs it: pixels, baselines, dates and geometry of every kind."""
import os

import numpy as np

import mintpy_files as mp
import topography_files as tp
from outcrop_run import main
from topography_run import TopographyTest

SCALAR = {"STARTING_RANGE": str(tp.RANGE), "RANGE_PIXEL_SIZE": "0", "CENTER_INCIDENCE_ANGLE": str(tp.INCIDENCE)}


class BadPixels(TopographyTest):
    # Warnings, NaN maps or a stop part-way at a bad pixel: MintPy issues 172, 408, 426.

    def test_bad_pixels_are_0_and_counted_and_disturb_no_other(self):
        series = tp.signal(2, 6)
        series[5, 0, 2] = np.nan
        incidence = np.full((2, 6), tp.INCIDENCE)
        incidence[0, 5] = incidence[1] = np.nan
        slant_range = np.full((2, 6), tp.RANGE)
        slant_range[0, 3] = 0
        self.write(2, 6, series)
        tp.write_geometry(self.path(tp.GEOMETRY), 2, 6, incidence, slant_range)
        products = self.correct_well()
        self.assert_signal(products, 0, 1)
        for row, col in ((0, 2), (0, 3), (0, 5), *((1, c) for c in range(6))):
            self.assert_empty(products, row, col)
        self.assertEqual(products.report["pixels"]["bad_geometry"], 8)
        self.assertEqual(products.report["pixels"]["no_data"], 1)
        self.assertEqual(products.report["deviations"], {})

    def test_infinities_are_no_data_and_counted(self):
        bperp = np.broadcast_to(tp.BPERP[:, None, None], (12, 1, 4)).copy()
        bperp[3, 0, 2] = np.nan
        series = tp.signal(1, 4)
        series[7, 0, 3] = np.inf
        self.write(1, 4, series)
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, bperp=bperp)
        products = self.correct_well()
        self.assert_signal(products)
        self.assert_empty(products, 0, 2)
        self.assert_empty(products, 0, 3)
        self.assertEqual(list(products.report["deviations"].values()), [2])
        self.assertIn("infinite", "\n".join(self.warnings(products.run)))

    def test_the_temporal_coherence_beside_the_series_leaves_pixels_out(self):
        self.write()
        mp.write_map(self.path("temporalCoherence.h5"), "temporalCoherence", np.array([[1, 0.5, 0, np.nan]], "f4"))
        products = self.correct_well()
        self.assert_signal(products, 0, 1)
        self.assert_empty(products, 0, 2)
        self.assert_signal(products, 0, 3)
        mp.write_map(self.path("temporalCoherence.h5"), "temporalCoherence", np.ones((2, 4), "f4"))
        for name in tp.PRODUCTS:
            os.remove(self.path(name))
        self.assert_refused(self.correct(), "temporalCoherence.h5", "2 x 4", "1 x 4")

    def test_a_pixel_is_empty_only_if_every_date_is_0(self):
        series = tp.signal(1, 4)
        series[:, 0, 2] = 0
        series[:, 0, 3] = 0
        series[2, 0, 3], series[3, 0, 3] = 0.25, -0.25
        self.write(1, 4, series)
        products = self.correct_well()
        self.assert_empty(products, 0, 2)
        self.assertNotEqual(products.dem[0, 3], 0)
        self.assertEqual(list(products.report["deviations"].values()), [1])
        products = self.correct_well("--mintpy-compat")
        self.assert_empty(products, 0, 3)
        self.assertEqual(products.report["deviations"], {})


class Baselines(TopographyTest):
    # Dummy baselines blow up the fit: MintPy issue 281, LiCSBAS issue 262.

    def test_baselines_of_zero_leave_the_series_as_it_is(self):
        for bperp in (np.zeros(12), np.full(12, 44.0)):
            self.write(bperp=bperp)
            products = self.correct_well()
            np.testing.assert_array_equal(products.dem, 0)
            np.testing.assert_array_equal(products.series, tp.signal(1, 4))
            self.assertEqual(len([w for w in self.warnings(products.run) if "baseline" in w]), 1)

    def test_a_baseline_that_is_nan_is_refused_with_its_date(self):
        bperp = tp.BPERP.copy()
        bperp[4] = np.nan
        self.write(bperp=bperp)
        self.assert_refused(self.correct(), "bperp", tp.DATES[4])

    def test_baselines_of_each_pixel_are_matched_by_date(self):
        bperp = tp.BPERP.mean() + 40 + 2 * np.arange(12)[:, None, None] * np.arange(4)[None, None, :]
        bperp = bperp + tp.BPERP[:, None, None]
        self.write(series=tp.signal(1, 4, bperp), bperp=None)
        shuffled = np.random.default_rng(1).permutation(12)
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, bperp=bperp)
        in_order = self.correct_well()
        for col in range(4):
            self.assert_signal(in_order, 0, col)
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, bperp=bperp[shuffled], storage={"compression": "lzf"},
                          bperp_dates=[tp.DATES[i] for i in shuffled])
        products = self.correct_well()
        np.testing.assert_array_equal(products.dem, in_order.dem)
        self.assertEqual(list(products.report["deviations"].values()), [1])
        mixed_up = self.correct_well("--mintpy-compat")
        self.assertGreater(abs(mixed_up.dem[0, 1] - tp.DEM_ERROR), 1)

    def test_a_missing_date_of_the_baselines_is_refused_and_one_more_is_none_of_our_business(self):
        bperp = np.broadcast_to(tp.BPERP[:, None, None], (12, 1, 4))
        self.write()
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, bperp=bperp[:-1], bperp_dates=tp.DATES[:-1])
        self.assert_refused(self.correct(), "bperp", tp.DATES[-1])
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, bperp=np.concatenate([bperp[:1] + 9, bperp]),
                          bperp_dates=["20191220", *tp.DATES])
        self.assert_signal(self.correct_well())

    def test_another_reference_date_changes_no_dem_error(self):
        self.write(attributes={"REF_DATE": tp.DATES[6]})
        products = self.correct_well()
        self.assertAlmostEqual(float(products.dem[0, 1]), tp.DEM_ERROR, delta=1e-3)
        np.testing.assert_array_equal(products.series[6], tp.signal(1, 4)[6])
        self.write(attributes={"REF_DATE": "20200102"})
        for name in tp.PRODUCTS:
            os.remove(self.path(name))
        self.assert_refused(self.correct(), "REF_DATE", "20200102")


class Dates(TopographyTest):
    # Excluded dates and the two objectives: MintPy pull requests 875, 890, 902, 905 and issue 892.

    def setUp(self):
        super().setUp()
        series = tp.signal(1, 4)
        series[3, 0, 1] += 0.3
        self.write(1, 4, series)

    def assert_excluded(self, products):
        self.assertAlmostEqual(float(products.dem[0, 1]), tp.DEM_ERROR, delta=1e-3)
        self.assertAlmostEqual(float(products.residual[3, 0, 1]), 0.3, delta=1e-6)
        self.assertEqual(products.series.shape[0], 12)

    def test_a_spoilt_date_pulls_at_the_fit_unless_it_is_excluded(self):
        self.assertAlmostEqual(float(self.correct_well().dem[0, 1]), 250.44, delta=0.01)
        self.assertAlmostEqual(float(self.correct_well("--phase-velocity").dem[0, 1]), 235.48, delta=0.01)
        self.assert_excluded(self.correct_well("--ex", tp.DATES[3]))
        self.assert_excluded(self.correct_well("--ex", tp.DATES[3], "--phase-velocity"))

    def test_dates_to_exclude_come_from_lists_and_files_and_are_written_expanded(self):
        with open(self.path("bad.txt"), "w", encoding="utf-8") as file:
            file.write(f"\n{tp.DATES[3]}  # bad weather\n{tp.DATES[8]}\n\n")
        self.assert_excluded(self.correct_well("--exclude", "bad.txt", tp.DATES[3]))
        written = mp.attributes_of(self.path(tp.PRODUCTS[0]))["mintpy.topographicResidual.excludeDate"]
        self.assertEqual(written, f"['{tp.DATES[3]}', '{tp.DATES[8]}']")
        template = self.template(excludeDate=f"[{tp.DATES[8]}, {tp.DATES[3][2:]}]")
        products = self.correct_well("-t", template)
        self.assert_excluded(products)
        self.assertIn("blanks in lists of dates", products.report["deviations"])
        self.assertEqual(mp.attributes_of(self.path(tp.PRODUCTS[0]))["mintpy.topographicResidual.excludeDate"], written)

    def test_unknown_dates_are_ignored_with_a_warning_and_missing_files_are_refused(self):
        run = self.correct_well("--ex", tp.DATES[3], "20300101").run
        self.assertIn("20300101", "\n".join(self.warnings(run)))
        for name in tp.PRODUCTS:
            os.remove(self.path(name))
        self.assert_refused(self.correct("--ex", "nowhere.txt"), "nowhere.txt")
        self.correct_well("-t", self.template(excludeDate="auto"))

    def test_more_orders_than_dates_are_refused_with_both_numbers(self):
        self.assert_refused(self.correct("-p", "12", "--ex", tp.DATES[3]), "12", "11")
        self.assert_refused(self.correct("-p", "0"), "--poly-order")
        self.correct_well("-p", "12")  # fewer dates than columns: the answer of least norm

    def test_flags_win_over_the_template_unless_mintpy_is_to_be_matched(self):
        template = self.template(polyOrder="3", excludeDate=tp.DATES[5])
        key = "mintpy.topographicResidual.polyOrder"
        products = self.correct_well("-t", template, "--poly-order=1", "--excl", tp.DATES[3])
        self.assertEqual(mp.attributes_of(self.path(tp.PRODUCTS[0]))[key], "1")
        self.assertIn("flags win over the template", products.report["deviations"])
        self.correct_well("-t", template, "-p", "1", "--mintpy-compat")
        self.assertEqual(mp.attributes_of(self.path(tp.PRODUCTS[0]))[key], "3")

    def test_steps_and_seasons_are_kept_out_of_the_dem_error(self):
        series = tp.signal(1, 4)
        after = np.arange(12) >= 6
        series[after] += 0.1
        self.write(1, 4, series)
        products = self.correct_well("-s", "20200510", "--periodic", "1.0", "0.5", "-p", "1")
        self.assertAlmostEqual(float(products.dem[0, 1]), tp.DEM_ERROR, delta=1e-3)
        np.testing.assert_allclose(products.series[:, 0, 1], tp.MOTION + 0.1 * after, rtol=0, atol=1e-6)
        self.assert_refused_step()

    def assert_refused_step(self):
        for name in tp.PRODUCTS:
            os.remove(self.path(name))
        self.assert_refused(self.correct("-s", "2020-05-10"), "2020-05-10")

    def test_a_template_of_an_older_mintpy_calls_its_steps_by_another_name(self):
        # Its update check asks for the attribute of that name.
        for keys, written in (({"stepFuncDate": "20200510"}, {"stepFuncDate": "['20200510']"}),
                              ({"stepFuncDate": "auto"}, {"stepFuncDate": "[]"}),
                              ({"stepDate": "20200510", "stepFuncDate": "no"},
                               {"stepDate": "['20200510']", "stepFuncDate": "['20200510']"})):
            with self.subTest(**keys):
                self.correct_well("-t", self.template(**keys))
                attributes = mp.attributes_of(self.path(tp.PRODUCTS[0]))
                prefix = "mintpy.topographicResidual."
                self.assertEqual({k[len(prefix):]: v for k, v in attributes.items() if k.startswith(prefix + "step")},
                                 written)

    def test_a_step_on_an_acquisition_warns_and_its_side_hangs_on_the_time_of_day(self):
        said = {}
        for seconds in ("0", "42000"):
            self.write(attributes={"CENTER_LINE_UTC": seconds})
            said[seconds] = "\n".join(self.warnings(self.correct_well("-s", tp.DATES[6]).run))
        self.assertIn("before", said["0"])
        self.assertIn("after", said["42000"])

    def test_columns_that_cannot_be_told_apart_are_named_once(self):
        self.write()
        products = self.correct_well("-s", "20200510", "20200520", "20250101")
        self.assertAlmostEqual(float(products.dem[0, 1]), tp.DEM_ERROR, delta=1e-3)
        warnings = [w for w in self.warnings(products.run) if "step" in w]
        self.assertEqual(len(warnings), 2)
        self.assertIn("step 20200510, step 20200520", "".join(warnings))
        self.assertIn("step 20250101", "".join(warnings))
        self.assertEqual(products.report["deviations"], {"dependent columns": 4})


class GeometryForms(TopographyTest):
    # A geometry file of another tool lacks a dataset: MintPy issue 408, sweets issue 42.

    def test_a_missing_range_comes_from_the_attributes_column_by_column(self):
        ranges = tp.RANGE + 30000.0 * np.arange(4)
        self.write(series=tp.signal(1, 4, range_m=ranges),
                   attributes={"STARTING_RANGE": str(tp.RANGE), "RANGE_PIXEL_SIZE": "30000"})
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, slant_range=None)
        products = self.correct_well("--tile", "1x3")
        for col in range(4):
            self.assert_signal(products, 0, col)
        self.assertIn("slantRangeDistance", products.run.stderr)
        self.assertIn("slant range from attributes", products.report["deviations"])

    def test_without_angles_the_scene_has_one_geometry(self):
        self.write(attributes=SCALAR)
        self.assert_signal(self.correct_well(geometry=False))
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, None, None)
        self.assert_signal(self.correct_well())

    def test_without_angles_and_attributes_it_is_refused_naming_both(self):
        self.write()
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, None, None)
        self.assert_refused(self.correct(), "incidenceAngle", "CENTER_INCIDENCE_ANGLE", "STARTING_RANGE")
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, slant_range=None)
        self.assert_refused(self.correct(), "slantRangeDistance", "STARTING_RANGE")

    def test_geometry_of_another_size_is_refused_with_both_sizes(self):
        self.write()
        tp.write_geometry(self.path(tp.GEOMETRY), 2, 5)
        self.assert_refused(self.correct(), "2 x 5", "1 x 4")
        self.assert_refused(self.correct("-g", "nowhere.h5", geometry=False), "nowhere.h5")

    def test_a_template_that_wants_pixelwise_geometry_warns_without_a_file(self):
        self.write(attributes=SCALAR)
        run = self.correct_well("-t", self.template(pixelwiseGeometry="auto"), geometry=False).run
        self.assertIn("-g inputs/geometryRadar.h5", "\n".join(self.warnings(run)))

    def test_impossible_geometry_stops_the_run_with_the_value_seen(self):
        # A range 80 times too large, angles in radians: gmtsar issue 1087, sarvey issue 122.
        self.write()
        for words, changes in ((["incidenceAngle", "0.66"], {"incidence": 0.6632}),
                               (["slantRangeDistance", "850000000"], {"slant_range": tp.RANGE * 1000}),
                               (["slantRangeDistance", "850"], {"slant_range": tp.RANGE / 1000})):
            tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, **changes)
            run = self.correct()
            self.assertEqual(run.code, 1)
            for word in [*words, "--accept-geometry"]:
                self.assertIn(word, run.stderr)
            self.assert_nothing_written()
        tp.write_geometry(self.path(tp.GEOMETRY), 1, 4, incidence=0.6632)
        self.assertAlmostEqual(float(self.correct_well("--accept-geometry").dem[0, 1]), 0.376, delta=1e-3)

    def test_impossible_attributes_are_refused(self):
        self.write(attributes={**SCALAR, "CENTER_INCIDENCE_ANGLE": "0.66"})
        self.assert_refused(self.correct(geometry=False), "0.66", "--accept-geometry")
        self.correct_well("--accept-geometry", geometry=False)

    def test_baselines_of_the_other_sign_turn_the_sign_of_the_dem_error(self):
        self.write(bperp=-tp.BPERP)
        self.assertAlmostEqual(float(self.correct_well().dem[0, 1]), -tp.DEM_ERROR, delta=1e-3)


if __name__ == "__main__":
    main()
