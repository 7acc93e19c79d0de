"""Runs MintPy's own programs beside outcrop; the tests that need them are skipped where MintPy is not installed."""
import importlib.util
import os
import subprocess
import sys

import h5py
import numpy as np

from outcrop_run import SceneTest, environment, main as run_tests, outcrop

SKIPPED = 77  # ctest's code for "not run"


class MintpyTest(SceneTest):
    """A simulated project, as MintPy has it after loading."""

    def setUp(self):
        super().setUp()
        os.rmdir(self.path("inputs"))
        self.outcrop_well("simulate", ".", "--rows", "40", "--cols", "50", "--dates", "12", "--seed", "7")
        with h5py.File(self.path("inputs", "geometryRadar.h5"), "r+") as file:
            row, col = np.mgrid[0:40, 0:50].astype("f4")
            file["latitude"], file["longitude"] = -0.3 - 1e-4 * row, -91 + 1e-4 * col

    def outcrop_well(self, *arguments):
        run = outcrop(*arguments, cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        return run

    def python(self, *arguments, env=None, timeout=600):
        # Without a screen; its caches stay in the test's folder.
        changes = {"MPLBACKEND": "Agg", "HOME": self.folder, "MPLCONFIGDIR": self.folder, **(env or {})}
        ended = subprocess.run([sys.executable, *arguments], cwd=self.folder, env=environment(changes), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               timeout=timeout, check=False)
        return ended.returncode, ended.stdout

    def mintpy(self, program, *arguments):
        """What the program says; it must succeed."""
        code, said = self.python("-m", f"mintpy.cli.{program}", *arguments)
        self.assertEqual(code, 0, said)
        return said

    def template(self, name="smallbaselineApp.cfg", **keys):
        """Steps that need no network, and the given keys; `_` stands for `.`."""
        usual = {"plot": "no", "geocode": "no", "save_kmz": "no", "troposphericDelay_method": "no",
                 "solidEarthTides": "no", "deramp": "no", "load_processor": "isce", "compute_numWorker": "1"}
        with open(self.path(name), "w", encoding="utf-8") as file:
            for key, value in {**usual, **keys}.items():
                file.write(f"mintpy.{key.replace('_', '.')} = {value}\n")
        return name


def main():
    if importlib.util.find_spec("mintpy") is None:
        print("MintPy is not installed for this Python (Debian: python3-mintpy): skipped")
        sys.exit(SKIPPED)
    run_tests()
