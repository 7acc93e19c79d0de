"""Tests MintPy's whole workflow with outcrop in the place of its two programs, over the steps that need no network."""
import os
import shutil
import stat

import h5py
import numpy as np

import mintpy_files as mp
from mintpy_run import MintpyTest, main
from outcrop_run import PROGRAM, STACK

APP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "smallbaselineApp-outcrop")


class Workflow(MintpyTest):
    def run_app(self, *arguments, program=PROGRAM, flags="--threads 1"):
        return self.python("-B", APP, *arguments, env={"OUTCROP": program, "OUTCROP_FLAGS": flags})

    def assert_made_by_outcrop(self, *names):
        for name in names:
            self.assertIn("outcrop.complete", mp.attributes_of(self.path(name)), name)

    def test_the_workflow_runs_from_network_to_velocity(self):
        code, said = self.run_app(self.template("project.cfg"), "--start", "modify_network", "--end", "velocity")
        self.assertEqual(code, 0, said)
        self.assertIn("Normal end of smallbaselineApp processing", said)
        self.assert_made_by_outcrop("timeseries.h5", "timeseries_demErr.h5", "demErr.h5")
        self.assertIn("--threads 1", said)
        velocity, mask = mp.read(self.path("velocity.h5"), "velocity"), mp.read(self.path("maskTempCoh.h5"), "mask")
        self.assertTrue(np.isfinite(velocity).all())
        self.assertGreater(mask.sum(), 100)

    def test_a_second_run_skips_both_steps(self):
        cfg = self.template("project.cfg")
        for _ in range(2):
            code, said = self.run_app(cfg, "--start", "modify_network", "--end", "correct_topography")
            self.assertEqual(code, 0, said)
        self.assertEqual(said.count("update: skip"), 2, said)

    def test_a_step_that_fails_stops_the_workflow_with_its_code(self):
        code, said = self.run_app(self.template("project.cfg"), "--start", "modify_network", "--end", "velocity",
                                  flags="--memory 20M")
        self.assertEqual(code, 2, said)
        self.assertIn("--memory 20M is too little", said)
        self.assertFalse(os.path.exists(self.path("maskTempCoh.h5")))

    def test_without_outcrop_it_says_so(self):
        code, said = self.run_app("--version", program=self.path("nowhere"))
        self.assertEqual(code, 1)
        self.assertIn("no outcrop on the PATH", said)

    def test_arguments_of_an_ionosphere_call_pass_through(self):
        shutil.copy(self.stack, self.path("inputs", "ionStack.h5"))
        code = (f"import runpy, sys; app = runpy.run_path({APP!r}); app['replace']({PROGRAM!r})\n"
                "import mintpy.cli.ifgram_inversion as step\n"
                "step.main(['inputs/ionStack.h5', '--dset', 'unwrapPhase', '--weight-func', 'no', '--update'])\n")
        code, said = self.python("-c", code)
        self.assertEqual(code, 0, said)
        self.assert_made_by_outcrop("ion.h5", "temporalCoherenceIon.h5", "numInvIon.h5")

    def test_a_signal_that_ends_outcrop_ends_the_workflow(self):
        killed = self.path("killed")
        with open(killed, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nkill -KILL $$\n")
        os.chmod(killed, stat.S_IRWXU)
        code, said = self.run_app(self.template("project.cfg"), "--start", "modify_network", "--end", "invert_network",
                                  program=killed)
        self.assertEqual(code, 137, said)


class ByHand(MintpyTest):
    def test_mintpy_goes_on_after_outcrop(self):
        cfg = self.template("project.cfg")
        self.mintpy("smallbaselineApp", cfg, "--start", "modify_network", "--end", "correct_unwrap_error")
        self.outcrop_well("invert-network", STACK, "-t", "smallbaselineApp.cfg", "--update")
        said = self.mintpy("smallbaselineApp", cfg, "--start", "invert_network", "--end", "invert_network")
        self.assertIn("run or skip: skip", said)
        with h5py.File(self.path("temporalCoherence.h5")) as file:
            expected = file["temporalCoherence"][()] >= 0.7
        np.testing.assert_array_equal(mp.read(self.path("maskTempCoh.h5"), "mask"), expected)


if __name__ == "__main__":
    main()
