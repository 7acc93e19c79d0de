"""Compares products with MintPy's answer, to the tolerances that outcrop promises."""
import os

import h5py
import numpy as np

from outcrop_run import SceneTest

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")

# MintPy computes in float32: its own distance from the exact answer is below this.
LARGEST_RMS = 1e-5  # of all pixels, relative to the largest value
LARGEST_ERROR = 1e-4  # of any pixel


class GoldenCase(SceneTest):
    def compare(self, expected, folder, names, ignored=()):
        """`ignored`: attributes that differ on purpose."""
        for name in names:
            with h5py.File(os.path.join(expected, name)) as reference, h5py.File(os.path.join(folder, name)) as ours:
                self.assertEqual(set(ours), set(reference))
                for dataset in reference:
                    self.compare_values(f"{name}/{dataset}", reference[dataset], ours[dataset])
                self.compare_attributes(name, dict(reference.attrs), dict(ours.attrs), ignored)

    def compare_values(self, name, reference, ours):
        self.assertEqual((ours.shape, ours.dtype), (reference.shape, reference.dtype), name)
        a, b = reference[()], ours[()]
        if name.endswith(("/date", "/mask")):
            np.testing.assert_array_equal(b, a, err_msg=name)
            return
        np.testing.assert_array_equal(np.isnan(b), np.isnan(a), err_msg=name)
        error = np.abs(np.nan_to_num(b.astype("f8") - a))
        scale = float(np.nanmax(np.abs(a)))
        self.assertLessEqual(np.sqrt(np.mean(error**2)), LARGEST_RMS * scale, name)
        self.assertLessEqual(np.max(error), LARGEST_ERROR * scale, name)

    def compare_attributes(self, name, reference, ours, ignored):
        added = {key for key in ours if key.startswith("outcrop.")}
        self.assertEqual(added, {"outcrop.complete", "outcrop.run_id", "outcrop.deviations"}, name)
        left_out = added | set(ignored)
        self.assertEqual({k: v for k, v in ours.items() if k not in left_out},
                         {k: v for k, v in reference.items() if k not in left_out}, name)
        self.assertEqual({type(value) for value in ours.values()}, {str}, name)
