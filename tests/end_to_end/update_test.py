"""Tests that --update skips exactly when nothing that matters has changed."""
import os
import shutil
import time

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, main


class Update(SceneTest):
    # Stale results after a change: MintPy issues 197, 304, 1335 and 1400.

    def setUp(self):
        super().setUp()
        self.write_signal(3, 4)
        self.modified("1500000000.0")
        mp.write_map(self.path("waterMask.h5"), "waterMask", np.ones((3, 4), bool))
        self.base = ["-m", "waterMask.h5"]
        self.invert_well(*self.base)

    def modified(self, text):
        """MintPy's note of when the observation was written, which counts instead of the file's time."""
        with h5py.File(self.stack, "r+") as file:
            file["unwrapPhase"].attrs["MODIFICATION_TIME"] = text

    def update(self, *arguments):
        """Whether a run with --update did the work, and what it said."""
        run = self.invert("--update", *(arguments or self.base))
        self.assertEqual(run.code, 0, run.stderr)
        did_run = "update: run" in run.stderr
        self.assertNotEqual(did_run, "update: skip" in run.stderr, run.stderr)
        self.assertEqual(did_run, bool(run.stdout.strip()))
        return did_run, run.stderr

    def assert_skips(self, *arguments):
        before = [os.stat(self.path(n)).st_mtime_ns for n in mp.Products.NAMES]
        did_run, said = self.update(*arguments)
        self.assertFalse(did_run, said)
        self.assertEqual([os.stat(self.path(n)).st_mtime_ns for n in mp.Products.NAMES], before)

    def assert_runs(self, word, *arguments):
        did_run, said = self.update(*arguments)
        self.assertTrue(did_run, said)
        self.assertIn(word, said)
        self.assert_skips(*arguments)

    def change(self, edit):
        """Edits the stack and gives it the time it had, so that only the content tells."""
        times = os.stat(self.stack)
        with h5py.File(self.stack, "r+") as file:
            edit(file)
        os.utime(self.stack, ns=(times.st_atime_ns, times.st_mtime_ns))

    def test_nothing_changed_is_skipped_within_a_second(self):
        begin = time.monotonic()
        self.assert_skips()
        self.assertLess(time.monotonic() - begin, 5)

    def test_settings_of_the_machine_alone_are_no_reason(self):
        self.assert_skips(*self.base, "--threads", "1", "--memory", "200M", "--tile", "1x1")

    def test_each_changed_option_is_a_reason_and_named(self):
        for name, *flags in (("weightFunc", "-w", "no"), ("maskDataset", "--mask-dset", "coherence"),
                             ("maskThreshold", "--mask-thres", "0.5"), ("minRedundancy", "--min-redundancy", "2"),
                             ("minNormVelocity", "--min-norm-phase"), ("skip-reference", "--skip-reference")):
            with self.subTest(name):
                self.invert_well(*self.base)
                self.assert_runs(name, *self.base, *flags)
        self.invert_well(*self.base)
        self.assert_runs("water mask", "-w", "var")

    def test_a_changed_reference_pixel_is_a_reason(self):
        self.change(lambda file: file.attrs.update({"REF_X": "1"}))
        self.assert_runs("REF_X")

    def test_a_changed_pair_flag_is_a_reason(self):
        def drop(file):
            file["dropIfgram"][6] = False
        self.change(drop)
        did_run, said = self.update()
        self.assertTrue(did_run, said)

    def test_a_changed_baseline_is_a_reason(self):
        def shift(file):
            file["bperp"][2] = 5
        self.change(shift)
        self.assert_runs("bperp")

    def test_a_changed_sample_with_a_new_time_is_a_reason(self):
        self.modified("1500000001.0")
        self.assert_runs("MODIFICATION_TIME")
        with h5py.File(self.stack, "r+") as file:
            del file["unwrapPhase"].attrs["MODIFICATION_TIME"]
        self.invert_well(*self.base)
        with h5py.File(self.stack, "r+") as file:
            file["unwrapPhase"][3, 1, 1] += 1
        self.assert_runs("observation")

    def test_changed_content_of_the_water_mask_is_a_reason(self):
        mp.write_map(self.path("waterMask.h5"), "waterMask", np.zeros((3, 4), bool))
        self.assert_runs("water mask")

    def test_a_missing_cut_or_foreign_product_is_a_reason(self):
        os.remove(self.path("numInvIfgram.h5"))
        self.assert_runs("numInvIfgram.h5")
        os.truncate(self.path("timeseries.h5"), 100)
        self.assert_runs("timeseries.h5")
        os.truncate(self.path("numInvIfgram.h5"), os.path.getsize(self.path("numInvIfgram.h5")) - 10)
        self.assert_runs("numInvIfgram.h5")
        shutil.copy(self.path("temporalCoherence.h5"), self.path("kept.h5"))
        self.invert_well(*self.base, "-w", "no")
        os.replace(self.path("kept.h5"), self.path("temporalCoherence.h5"))
        self.assertTrue(self.update(*self.base, "-w", "no")[0])

    def test_a_modification_time_in_the_stack_counts_instead_of_the_files_time(self):
        os.utime(self.stack)
        self.assert_skips()

    def test_products_of_mintpy_are_judged_by_its_rule(self):
        for name in mp.Products.NAMES:
            with h5py.File(self.path(name), "r+") as file:
                for key in [k for k in file.attrs if k.startswith("outcrop.")]:
                    del file.attrs[key]
        self.assert_skips()
        self.modified(str(time.time() + 100))
        did_run, said = self.update()
        self.assertTrue(did_run, said)
        self.assertIn(STACK, said)


if __name__ == "__main__":
    main()
