"""Runs correct-topography on the scene of topography_files.py in a folder of its own."""
import json

import numpy as np

import topography_files as tp
from outcrop_run import SceneTest, outcrop


class TopographyTest(SceneTest):
    def write(self, rows=1, cols=4, series=None, geometry=True, **options):
        tp.write_series(self.path(tp.SERIES), tp.signal(rows, cols) if series is None else series, **options)
        if geometry:
            tp.write_geometry(self.path(tp.GEOMETRY), rows, cols)

    def correct(self, *arguments, geometry=True, **options):
        flags = ["-g", tp.GEOMETRY] if geometry else []
        return outcrop("correct-topography", tp.SERIES, *flags, "--progress", "none", *arguments, cwd=self.folder,
                       **options)

    def correct_well(self, *arguments, **options):
        run = self.correct(*arguments, "--report", "report.json", **options)
        self.assertEqual(run.code, 0, run.stderr)
        products = tp.Corrected(self.folder)
        products.run = run
        with open(self.path("report.json"), encoding="utf-8") as file:
            products.report = json.load(file)
        return products

    def assert_signal(self, products, row=0, col=1):
        self.assertAlmostEqual(float(products.dem[row, col]), tp.DEM_ERROR, delta=1e-3)
        np.testing.assert_allclose(products.series[:, row, col], tp.MOTION, rtol=0, atol=1e-6)
        np.testing.assert_allclose(products.residual[:, row, col], 0, rtol=0, atol=1e-6)

    def assert_empty(self, products, row, col):
        for values in (products.dem, products.series, products.residual):
            np.testing.assert_array_equal(values[..., row, col], 0)

    def assert_nothing_written(self, folder=None):
        self.assertEqual([n for n in self.entries(folder) if n in tp.PRODUCTS], [])
        self.assert_nothing_unfinished(folder)

    def template(self, **keys):
        with open(self.path("t.cfg"), "w", encoding="utf-8") as file:
            for key, value in keys.items():
                file.write(f"mintpy.topographicResidual.{key} = {value}\n")
        return "t.cfg"
