"""Tests that MintPy opens what outcrop wrote, shows it, and takes it for its own."""
import os

from mintpy_run import MintpyTest, main
from outcrop_run import STACK

GEOMETRY = "inputs/geometryRadar.h5"
INVERTED = {"timeseries.h5": "timeseries", "temporalCoherence.h5": "temporalCoherence", "numInvIfgram.h5": "mask"}
CORRECTED = {"timeseries_demErr.h5": "timeseries", "timeseriesResidual.h5": "timeseries", "demErr.h5": "dem"}


class Client(MintpyTest):
    def setUp(self):
        super().setUp()
        self.cfg = self.template(topographicResidual_polyOrder="auto", topographicResidual_excludeDate="auto",
                                 networkInversion_weightFunc="auto", networkInversion_maskDataset="auto",
                                 networkInversion_maskThreshold="auto", networkInversion_minRedundancy="auto",
                                 networkInversion_minNormVelocity="auto", topographicResidual_stepFuncDate="auto",
                                 topographicResidual_stepDate="auto", topographicResidual_phaseVelocity="auto")
        self.outcrop_well("invert-network", STACK, "-t", self.cfg)
        self.outcrop_well("correct-topography", "timeseries.h5", "-g", GEOMETRY, "-t", self.cfg, "-o",
                          "timeseries_demErr.h5")

    def test_every_product_is_opened_and_known_for_what_it_is(self):
        for name, kind in {**INVERTED, **CORRECTED}.items():
            with self.subTest(name):
                said = self.mintpy("info", name)
                self.assertIn(kind, said)
                self.assertIn("FILE_TYPE", said)
                self.assertIn("outcrop.complete", said)
        self.assertIn("20150101", self.mintpy("info", "timeseries.h5", "--date"))

    def test_every_product_is_drawn(self):
        for name in {**INVERTED, **CORRECTED}:
            with self.subTest(name):
                self.mintpy("view", name, "--nodisplay", "-o", "map.png", "--dpi", "50")
                self.assertGreater(os.path.getsize(self.path("map.png")), 1000)
                os.remove(self.path("map.png"))

    def test_mintpys_update_check_skips_both_steps(self):
        before = {name: os.stat(self.path(name)).st_mtime_ns for name in {**INVERTED, **CORRECTED}}
        said = self.mintpy("ifgram_inversion", STACK, "-t", self.cfg, "--update")
        self.assertIn("run or skip: skip", said)
        said = self.mintpy("dem_error", "timeseries.h5", "-g", GEOMETRY, "-t", self.cfg, "-o", "timeseries_demErr.h5",
                           "--update")
        self.assertIn("run or skip: skip", said)
        self.assertEqual({name: os.stat(self.path(name)).st_mtime_ns for name in before}, before)

    def test_mintpys_update_check_runs_when_a_setting_is_another(self):
        cfg = self.template("other.cfg", networkInversion_weightFunc="no")
        said = self.mintpy("ifgram_inversion", STACK, "-t", cfg, "--update")
        self.assertIn("run or skip: run", said)

    def test_outcrop_skips_what_mintpy_made(self):
        for name in INVERTED:
            os.remove(self.path(name))
        self.mintpy("ifgram_inversion", STACK, "-t", self.cfg)
        said = self.outcrop_well("invert-network", STACK, "-t", self.cfg, "--update").stderr
        self.assertIn("update: skip", said)


if __name__ == "__main__":
    main()
