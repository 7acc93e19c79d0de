"""Tests of --quicklook: the maps of a run and their page."""
import json
import os
import stat
import unittest

import h5py
import numpy as np

import mintpy_files as mp
import topography_files as tp
from outcrop_run import main, outcrop, sha256
from quicklook_page import PageReader, assert_complete
from topography_run import TopographyTest

INVERT_MAPS = ["temporal-coherence.png", "count.png", "displacement-1.png", "displacement-2.png", "displacement-3.png"]


class Quicklook(TopographyTest):
    def maps(self, folder="maps"):
        return assert_complete(self, self.path(folder))

    def hashes(self, folder="maps"):
        return {name: sha256(self.path(folder, name)) for name in os.listdir(self.path(folder)) if name.endswith(".png")}

    def invert_with_maps(self, *arguments, **options):
        products = self.invert_well("--quicklook", "maps", *arguments, **options)
        return products, self.maps()


class OfInversion(Quicklook):
    def test_has_coherence_count_and_three_dates(self):
        self.write_signal(rows=20, cols=30, growth=0.01)
        _, page = self.invert_with_maps()
        self.assertEqual([image["src"] for image in page.images], INVERT_MAPS)
        self.assertEqual(page.images[2]["alt"], "Displacement 2020-01-25")
        self.assertEqual(page.images[4]["alt"], "Displacement 2020-02-18")
        self.assertEqual(sorted(os.listdir(self.path("maps"))), sorted(INVERT_MAPS + ["index.html"]))
        self.assert_nothing_unfinished(self.path("maps"))

    def test_says_the_numbers_and_settings_of_the_run(self):
        samples = mp.interferograms(mp.history(20, 30))
        samples[:, 5:8, 3:9] = np.nan
        mp.write_stack(self.stack, samples)
        _, page = self.invert_with_maps("--report", "report.json", "-w", "fim")
        with open(self.path("report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["pixels"]["no_data"], 18)
        for key, count in report["pixels"].items():
            self.assertEqual(page.values[f"pixels.{key}"], str(count))
        self.assertEqual(page.values["outcrop"], report["outcrop"])
        self.assertEqual(page.values["threads"], str(report["threads"]))
        self.assertIn("--quicklook maps", page.values["command"])
        self.assertEqual(page.values["setting.mintpy.networkInversion.weightFunc"], "fim")
        self.assertGreater(report["quicklook_s"], 0)

    def test_products_are_the_same_with_and_without_maps(self):
        self.write_signal(rows=20, cols=30, growth=0.01)
        self.invert_well()
        without = self.product_hashes()
        self.invert_with_maps()
        self.assertEqual(self.product_hashes(), without)

    def test_maps_are_the_same_for_any_tiles_threads_and_memory(self):
        random = np.random.default_rng(3)
        samples = mp.interferograms(mp.history(900, 61))
        samples += random.normal(0, 0.2, samples.shape).astype("f4")
        samples[:, 0, 0] = mp.CONSTANTS
        mp.write_stack(self.stack, samples, storage={"chunks": (3, 40, 16), "compression": "lzf"})
        self.invert_with_maps("--threads", "1")
        first = self.hashes()
        for arguments in (["--threads", "4"], ["--tile", "7x5"], ["--tile", "900x1"], ["--memory", "90M"]):
            with self.subTest(arguments):
                self.invert_with_maps(*arguments)
                self.assertEqual(self.hashes(), first)

    def test_images_of_one_pixel_of_one_row_and_of_one_column(self):
        for rows, cols in ((1, 1), (1, 2000), (2000, 1), (3, 1000)):
            with self.subTest(rows=rows, cols=cols):
                self.write_signal(rows=rows, cols=cols)
                self.invert_with_maps()

    def test_nothing_but_nan(self):
        mp.write_stack(self.stack, np.full((7, 4, 5), np.nan, "f4"))
        run = self.invert("--skip-reference", "--quicklook", "maps")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(self.maps().values["pixels.no_data"], "20")

    def test_a_series_of_two_dates_has_one_map_of_displacement(self):
        mp.write_stack(self.stack, mp.interferograms(mp.history(4, 5), pairs=[(0, 1)]), pairs=[(0, 1)], dates=mp.DATES[:2])
        _, page = self.invert_with_maps()
        self.assertEqual([image["src"] for image in page.images], INVERT_MAPS[:3])

    def test_offsets_have_their_residual_in_place_of_coherence(self):
        samples = mp.interferograms(mp.history(6, 7))
        mp.write_stack(self.stack, samples, more={"rangeOffset": samples, "rangeOffsetStd": np.ones_like(samples)},
                       attributes={"RANGE_PIXEL_SIZE": "2.3"})
        run = self.invert("-i", "rangeOffset", "-w", "no", "--mask-dset", "no", "--quicklook", "maps")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(self.maps().images[0]["src"], "residual.png")

    def test_geocoded_stacks_have_their_scale(self):
        self.write_signal(rows=20, cols=30, attributes={"X_STEP": "0.001", "Y_STEP": "-0.001", "X_FIRST": "-91.2",
                                                        "Y_FIRST": "0.01", "X_UNIT": "degrees", "Y_UNIT": "degrees"})
        _, page = self.invert_with_maps()
        self.assertIn("111 m north-south x 111 m east-west", page.text)

    def test_memory_of_the_maps_is_in_the_plan(self):
        self.write_signal(rows=20, cols=30)
        plans = [json.loads(self.invert("--plan=json", *more).stdout) for more in ([], ["--quicklook", "maps"])]
        self.assertNotIn("kept of the outputs", plans[0]["memory"])
        self.assertGreater(plans[1]["memory"]["kept of the outputs"], 20 * 30 * 4 * 5)
        self.assertNotIn("maps", self.entries())

    def test_hostile_names_are_only_text(self):
        self.write_signal(rows=4, cols=5, attributes={"PROCESSOR": "<script>alert(1)</script>"})
        names = ["<img src=x onerror=alert(1)>.h5", "\"'&.h5", b"\xff\xfe.h5".decode("utf-8", "surrogateescape")]
        run = self.invert("-o", *names, "--report", "report.json", "--quicklook", "<b>map")
        self.assertEqual(run.code, 0, run.stderr)
        page = self.maps("<b>map")
        self.assertEqual(len(page.images), 5)
        self.assertIn("<img src=x onerror=alert(1)>.h5", page.text)
        self.assertNotIn("onerror", "".join(str(image) for image in page.images))


class TheFolder(Quicklook):
    def setUp(self):
        super().setUp()
        self.write_signal(rows=4, cols=5)

    def test_other_files_in_it_stay_and_older_maps_are_replaced(self):
        os.makedirs(self.path("maps"))
        for name in ("mine.txt", "count.png", "index.html"):
            with open(self.path("maps", name), "w", encoding="utf-8") as file:
                file.write("mine")
        self.invert_with_maps()
        with open(self.path("maps", "mine.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_is_made_with_the_folders_above_it(self):
        self.invert_well("--quicklook", "a/b/c")
        self.maps("a/b/c")

    def test_that_is_a_file_or_below_one_is_refused(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        self.assert_refused(self.invert("--quicklook", "file"), "--quicklook file", "no folder")
        self.assert_refused(self.invert("--quicklook", "file/maps"), "--quicklook file/maps")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_that_cannot_be_written_is_refused(self):
        os.makedirs(self.path("maps"))
        os.chmod(self.path("maps"), stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(os.chmod, self.path("maps"), stat.S_IRWXU)
        self.assert_refused(self.invert("--quicklook", "maps"), "--quicklook maps", "cannot be written")

    def test_is_not_left_by_a_run_that_fails(self):
        with h5py.File(self.stack, "r+") as file:
            del file["coherence"]
            file["coherence"] = np.full((7, 4, 5), 7, "i2")
        run = self.invert("--quicklook", "maps")
        self.assertEqual(run.code, 1, run.stderr)
        self.assertNotIn("maps", self.entries())

    def test_that_cannot_take_the_maps_after_all_leaves_the_products_and_says_so(self):
        os.makedirs(self.path("maps", "count.png"))
        run = self.invert("--quicklook", "maps", "--report", "report.json")
        self.assertEqual(run.code, 1, run.stderr)
        self.assertIn("the products are complete", run.stderr)
        self.assertIn("count.png", run.stderr)
        mp.Products(self.folder)
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["exit"], 1)

    def test_stays_as_it_is_when_update_skips(self):
        self.invert_with_maps()
        before = os.stat(self.path("maps", "index.html")).st_mtime_ns
        run = self.invert("--update", "--quicklook", "maps")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn("no maps are drawn", run.stderr)
        self.assertEqual(os.stat(self.path("maps", "index.html")).st_mtime_ns, before)


class OfTopography(Quicklook):
    MAPS = ["dem-error.png", "corrected-1.png", "corrected-2.png", "corrected-3.png", "residual-rms.png"]

    def series(self, rows, cols):
        """The signal and noise that grows with the date: a residual of known size."""
        noise = np.random.default_rng(1).normal(0, 1, (12, rows, cols)) * np.linspace(0.001, 0.004, 12)[:, None, None]
        return (tp.signal(rows, cols) + noise).astype("f4")

    def expected_rms(self, chosen):
        residual = mp.read(self.path("timeseriesResidual.h5"), "timeseries").astype("f8")
        return np.sqrt(np.mean(residual[:, chosen] ** 2, axis=1)) * 1000

    def assert_rms(self, page, chosen):
        for date, rms in zip(tp.DATES, self.expected_rms(chosen)):
            self.assertAlmostEqual(float(page.values[f"rms.{date}"].split()[0]), rms, delta=6e-4)

    def test_has_dem_error_three_dates_and_residuals(self):
        self.write(rows=30, cols=40, series=self.series(30, 40))
        self.correct_well("--quicklook", "maps")
        page = self.maps()
        self.assertEqual([image["src"] for image in page.images], self.MAPS)
        self.assertIn("residual_RMS deramps", page.text)
        self.assertIn("no temporalCoherence.h5 is beside the series", page.text)
        self.assert_rms(page, np.ones((30, 40), bool))

    def test_residuals_are_of_pixels_with_coherence(self):
        coherence = np.random.default_rng(2).uniform(0.4, 1, (30, 40)).astype("f4")
        coherence[3, 4] = 0.7
        coherence[5, 6] = np.nan
        mp.write_map(self.path("temporalCoherence.h5"), "temporalCoherence", coherence)
        self.write(rows=30, cols=40, series=self.series(30, 40))
        self.correct_well("--quicklook", "maps", "--tile", "7x11")
        page = self.maps()
        chosen = coherence >= np.float32(0.7)
        self.assertTrue(chosen[3, 4] and not chosen[5, 6])
        self.assertIn(f"over {chosen.sum()} solved pixels", page.text)
        self.assertIn("temporalCoherence.h5", page.text)
        self.assert_rms(page, chosen)

    def test_without_residual_file_there_are_no_residuals(self):
        self.write(rows=5, cols=6)
        run = self.correct("--residual-file", "no", "--quicklook", "maps")
        self.assertEqual(run.code, 0, run.stderr)
        page = self.maps()
        self.assertEqual([image["src"] for image in page.images], self.MAPS[:4])
        self.assertIn("No residual RMS", page.text)

    def test_pixels_that_were_not_solved_do_not_count(self):
        series = self.series(10, 10)
        series[:, 2:5, 2:5] = 0
        self.write(rows=10, cols=10, series=series)
        self.correct_well("--quicklook", "maps")
        self.assertIn("over 91 solved pixels", self.maps().text)

    def test_maps_are_the_same_for_any_tiles_and_threads(self):
        self.write(rows=50, cols=40, series=self.series(50, 40))
        self.correct_well("--quicklook", "maps", "--threads", "1")
        first = self.hashes(), PageReader(self.path("maps", "index.html")).values["rms.20200921"]
        for arguments in (["--threads", "4"], ["--tile", "3x40"], ["--tile", "50x7"]):
            with self.subTest(arguments):
                self.correct_well("--quicklook", "maps", *arguments)
                page = self.maps()
                self.assertEqual((self.hashes(), page.values["rms.20200921"]), first)


class Simulated(Quicklook):
    def test_both_steps_of_a_simulated_scene(self):
        run = outcrop("simulate", "scene", "--rows", "60", "--cols", "80", "--dates", "12", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        scene = self.path("scene")
        for arguments in (["invert-network", "inputs/ifgramStack.h5"],
                          ["correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5"]):
            run = outcrop(*arguments, "--quicklook", f"maps/{arguments[0]}", cwd=scene)
            self.assertEqual(run.code, 0, run.stderr)
            self.assertEqual(len(self.maps(f"scene/maps/{arguments[0]}").images), 5)
            self.assertIn("m azimuth x", self.maps(f"scene/maps/{arguments[0]}").text)
        apart = self.hashes("scene/maps/invert-network") | self.hashes("scene/maps/correct-topography")
        run = outcrop("invert-network", "inputs/ifgramStack.h5", "--quicklook", "maps/both", "--tile", "7x80", "--then",
                      "correct-topography", "-g", "inputs/geometryRadar.h5", cwd=scene)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(len(self.maps("scene/maps/both").images), 10)
        self.assertEqual(self.hashes("scene/maps/both"), apart)


if __name__ == "__main__":
    main()
