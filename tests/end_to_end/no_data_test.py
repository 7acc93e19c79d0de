"""Tests of samples, pairs, dates and pixels without data: zeros, NaN, masks, dropped pairs."""
import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main


class Zeros(SceneTest):
    # Zero means no data, but referencing makes zeros too: MintPy pull requests 90 and 463.

    def test_zero_before_referencing_and_zero_after_it_both_lose_the_sample(self):
        phase = mp.history(1, 5)
        phase[:, 0, 2] = [0, 0, 1, 2, 4]
        phase[:, 0, 3] = 0
        samples = mp.interferograms(phase)
        samples[:, 0, 4] = 0
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_signal(products, (0, 1))
        self.assert_pixel(products, (0, 2), [0, 0, -1, -2, -4], 1, 6)
        self.assert_empty(products, (0, 3))
        self.assert_empty(products, (0, 4))
        self.assert_pixel(products, (0, 0), [0, 0, 0, 0, 0], 1, 7)

    def test_a_pixel_that_loses_a_date_is_empty(self):
        # From MintPy issue 398, https://github.com/insarlab/MintPy/issues/398
        samples = mp.interferograms(mp.history(1, 3))
        samples[[3, 6], 0, 1] = 0
        samples[6, 0, 2] = 0
        mp.write_stack(self.stack, samples)
        products = self.invert_well("--min-redundancy", "1")
        self.assert_empty(products, (0, 1))
        self.assert_signal(products, (0, 2), 6)
        self.assert_empty(self.invert_well("--min-redundancy", "2"), (0, 2))

    def test_nan_counts_as_no_data_as_zero_does(self):
        samples = mp.interferograms(mp.history(1, 3))
        samples[6, 0, 2] = np.nan
        samples[:, 0, 1] = np.nan
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_empty(products, (0, 1))
        self.assert_signal(products, (0, 2), 6)

    def test_an_infinite_sample_is_no_data_and_is_counted(self):
        samples = mp.interferograms(mp.history(1, 3))
        samples[6, 0, 1] = np.inf
        samples[0, 0, 2] = -np.inf
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_signal(products, (0, 1), 6)
        self.assert_signal(products, (0, 2), 6)
        self.assertNotEqual(mp.attributes_of(self.path("timeseries.h5"))["outcrop.deviations"], "{}")


class EmptyAreas(SceneTest):
    # From MintPy issue 398: the run stopped when it reached an area without data.

    def test_tiles_without_a_valid_pixel_are_written_as_zeros(self):
        samples = mp.interferograms(mp.history(60, 20))
        samples[:, 20:40] = 0
        samples[:, 40:] = np.nan
        mp.write_stack(self.stack, samples)
        products = self.invert_well("--tile", "10x20")
        for row in range(60):
            check = self.assert_signal if row < 20 else self.assert_empty
            check(products, (row, 19))

    def test_an_image_with_nothing_but_its_reference_pixel_ends_well_with_one_warning(self):
        samples = np.zeros((7, 4, 4), "f4")
        samples[:, 0, 0] = mp.CONSTANTS
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assertEqual(products.count[0, 0], 7)
        self.assertEqual(np.count_nonzero(products.count), 1)
        self.assertEqual(len(self.warnings(products.run)), 1, products.run.stderr)
        self.assertIn("no pixel could be inverted", self.warnings(products.run)[0])


class DroppedPairs(SceneTest):
    # dropIfgram means keep when true: MintPy issue 1284, https://github.com/insarlab/MintPy/issues/1284

    def test_a_pair_whose_flag_is_false_is_left_out(self):
        samples = mp.interferograms(mp.history(1, 3))
        samples[6, 0, 1:] += 9
        mp.write_stack(self.stack, samples, keep=[1, 1, 1, 1, 1, 1, 0])
        products = self.invert_well()
        self.assert_signal(products, (0, 1), 6)
        self.assertEqual(products.count[0, 0], 6)

    def test_a_date_without_a_kept_pair_is_not_in_the_series(self):
        self.write_signal(keep=[1, 1, 1, 0, 1, 1, 0], bperp=[10, 20, 30, 40, 30, 50, 70])
        products = self.invert_well()
        self.assertEqual(products.dates, mp.DATES[:4])
        np.testing.assert_allclose(products.bperp, [0, 10, 30, 60], atol=1e-4)
        self.assert_pixel(products, (0, 1), mp.DISPLACEMENT[:4], 1, 5)

    def test_no_kept_pair_at_all_is_refused(self):
        self.write_signal(keep=[0] * 7)
        self.assert_refused(self.invert(), "dropIfgram")

    def test_flags_of_whole_numbers_keep_where_they_are_not_zero(self):
        self.write_signal(keep=[1, 1, 1, 1, 1, 1, 0])
        with h5py.File(self.stack, "r+") as file:
            del file["dropIfgram"]
            file["dropIfgram"] = np.array([1, 2, 1, 1, 1, 1, 0], "i8")
        self.assert_signal(self.invert_well(), (0, 1), 6)


class ComponentMask(SceneTest):
    # Labels of many types, some above 127: MintPy issue 148 and pull request 103.

    def write_component(self, kind):
        component = np.ones((7, 1, 5))
        component[:, 0, 1] = 100 if kind == "i1" else 200
        component[0, 0, 2] = 0
        if kind == "f4":
            component[1, 0, 3] = np.nan
        if kind not in ("u1", "u2"):
            component[:, 0, 4] = -1
        self.write_signal(1, 5, more={"connectComponent": component.astype(kind)})

    def test_labels_of_every_whole_number_type_keep_where_they_are_not_zero(self):
        for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8"):
            with self.subTest(kind):
                self.write_component(kind)
                products = self.invert_well("--mask-dset", "connectComponent")
                self.assert_signal(products, (0, 1), 7)
                self.assert_signal(products, (0, 2), 6)
                self.assert_signal(products, (0, 4), 7)

    def test_floating_labels_keep_where_they_are_a_number_other_than_zero(self):
        self.write_component("f4")
        products = self.invert_well("--mask-dset", "connectComponent")
        self.assert_signal(products, (0, 1), 7)
        self.assert_signal(products, (0, 3), 6)

    def test_a_mask_dataset_that_is_absent_is_refused(self):
        self.write_signal()
        self.assert_refused(self.invert("--mask-dset", "connectComponent"), "connectComponent")
        self.assert_signal(self.invert_well("--mask-dset", "no"), (0, 1))

    def test_a_mask_that_is_zero_everywhere_ends_well_with_a_warning(self):
        self.write_signal(1, 3, more={"connectComponent": np.zeros((7, 1, 3), "i2")})
        products = self.invert_well("--mask-dset", "connectComponent")
        self.assertEqual(np.count_nonzero(products.series), 0)
        self.assertIn("no pixel could be inverted", products.run.stderr)


class ReferencePixel(SceneTest):
    def test_a_pair_that_is_nan_at_the_reference_is_left_out_everywhere_and_named(self):
        samples = mp.interferograms(mp.history(2, 3))
        samples[6, 0, 0] = np.nan
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_signal(products, (0, 1), 6)
        self.assertEqual(products.count[0, 0], 6)
        self.assertIn("20200125_20200218", products.run.stderr)
        self.assertEqual(mp.attributes_of(self.path("timeseries.h5"))["mintpy.networkInversion.numIfgram"], "7")

    def test_a_pair_that_is_zero_at_the_reference_alone_is_taken_as_referenced_there(self):
        samples = mp.interferograms(mp.history(3, 3))
        samples[6] -= np.float32(mp.CONSTANTS[6])
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_signal(products, (0, 1), 7)
        self.assertIn("1 of 7 pairs are exactly 0 at the reference pixel", products.run.stderr)

    def test_a_pair_without_data_around_the_reference_is_left_out(self):
        samples = mp.interferograms(mp.history(6, 6))
        samples[6, :3, :3] = 0
        mp.write_stack(self.stack, samples)
        products = self.invert_well()
        self.assert_signal(products, (5, 5), 6)
        self.assertIn("20200125_20200218", products.run.stderr)

    def test_a_reference_without_data_in_any_pair_is_refused(self):
        samples = mp.interferograms(mp.history(6, 6))
        samples[:, 0, 0] = np.nan
        mp.write_stack(self.stack, samples)
        self.assert_refused(self.invert(), "reference pixel", codes=(1, 2))

    def test_a_masked_reference_pixel_works_with_a_warning(self):
        self.write_signal(2, 3)
        mask = np.ones((2, 3), bool)
        mask[0, 0] = mask[1, 2] = False
        mp.write_map(self.path("waterMask.h5"), "waterMask", mask)
        products = self.invert_well("-m", "waterMask.h5")
        self.assert_signal(products, (0, 1))
        self.assert_empty(products, (1, 2))
        self.assert_pixel(products, (0, 0), np.zeros(5), 1, 7)
        self.assertIn("masked", products.run.stderr)


if __name__ == "__main__":
    main()
