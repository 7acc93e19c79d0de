"""Tests of networks as they come: reversed, repeated, disconnected or tiny; and of the weights."""
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main


class PairOrder(SceneTest):
    # MintPy pull requests 155 and 750: pairs with the later date first, in any order.

    def write_pairs(self, pairs, constants):
        mp.write_stack(self.stack, mp.interferograms(mp.history(1, 3), pairs, constants), pairs=pairs)

    def test_reversed_pairs_in_any_order_give_the_same_series(self):
        pairs = [(1, 0)] + mp.PAIRS[1:]
        self.write_pairs(pairs[::-1], mp.CONSTANTS[::-1])
        self.assert_signal(self.invert_well(), (0, 1))

    def test_a_repeated_pair_counts_twice(self):
        self.write_pairs(mp.PAIRS + [(0, 1)], mp.CONSTANTS + [0.2])
        self.assert_signal(self.invert_well(), (0, 1), 8)

    def test_a_pair_of_a_date_with_itself_is_left_out_with_a_warning(self):
        self.write_pairs(mp.PAIRS + [(1, 1)], mp.CONSTANTS + [0.2])
        products = self.invert_well()
        self.assert_signal(products, (0, 1), 7)
        self.assertEqual(products.count[0, 0], 7)
        self.assertIn("20200113_20200113", products.run.stderr)

    def test_pairs_that_share_their_later_date_are_solved_and_tested_right(self):
        pairs = [(4, 0), (4, 1), (4, 2), (4, 3)]
        self.write_pairs(pairs, mp.CONSTANTS[:4])
        self.assert_signal(self.invert_well(), (0, 1), 4)


class Islands(SceneTest):
    # From GMTSAR issue 1097 and LiCSBAS issue 276: two groups of dates that no pair connects.
    PAIRS = [(0, 1), (2, 3), (3, 4), (2, 4)]

    def setUp(self):
        super().setUp()
        samples = mp.interferograms(mp.history(1, 3), self.PAIRS, mp.CONSTANTS[:4])
        mp.write_stack(self.stack, samples, pairs=self.PAIRS)

    def test_the_gap_has_no_velocity_by_default(self):
        for weight in ("no", "var", "fim", "coh"):
            with self.subTest(weight):
                self.assert_pixel(self.invert_well("-w", weight), (0, 1), [0, -1, -1, -3.5, -6], 1, 4)

    def test_each_island_has_its_smallest_phase_when_asked_for(self):
        for weight in ("no", "var"):
            with self.subTest(weight):
                products = self.invert_well("-w", weight, "--min-norm-phase")
                self.assert_pixel(products, (0, 1), [0, -1, 2.5, 0, -2.5], 1, 4)

    def test_one_warning_names_the_dates_of_the_islands(self):
        warnings = [w for w in self.invert_well().run.stderr.splitlines() if "islands" in w]
        self.assertEqual(len(warnings), 1, warnings)
        for date in mp.DATES:
            self.assertIn(date, warnings[0])


class TinyStacks(SceneTest):
    # From MintPy pull request 1455: a stack of one pair.

    def test_one_pair_gives_two_dates(self):
        samples = mp.interferograms(mp.history(2, 3), [(0, 1)], [0.7])
        mp.write_stack(self.stack, samples, pairs=[(0, 1)])
        products = self.invert_well()
        self.assertEqual(products.dates, mp.DATES[:2])
        self.assert_pixel(products, (1, 2), [0, -1], 1, 1)

    def test_two_pairs_give_three_dates(self):
        samples = mp.interferograms(mp.history(2, 3), [(0, 1), (1, 2)], [0.7, 0.1])
        mp.write_stack(self.stack, samples, pairs=[(0, 1), (1, 2)])
        self.assert_pixel(self.invert_well(), (1, 2), [0, -1, 2], 1, 2)


class Weights(SceneTest):
    # MintPy issues 396 and 420, pull request 404.
    PAIRS = [(0, 1), (1, 2), (0, 2)]

    def write_triplet(self, coherence):
        samples = np.full((3, 1, 2), 0.5, "f4")
        samples[:, 0, 1] += np.array([1, 1, 2 + np.pi], "f4")
        mp.write_stack(self.stack, samples, pairs=self.PAIRS, dates=mp.DATES[:3],
                       coherence=np.reshape(coherence, (3, 1, 1)), attributes={"NCORRLOOKS": "10"})

    def test_an_unweighted_loop_that_does_not_close_shares_its_error_equally(self):
        self.write_triplet([0.8, 0.8, 0.8])
        self.assert_pixel(self.invert_well("-w", "no"), (0, 1), [0, -2.047198, -4.094395], 0.57735, 3)

    def test_each_weight_function_has_its_own_answer(self):
        self.write_triplet([0.8, 0.8, 0.2])
        self.assert_pixel(self.invert_well("-w", "var"), (0, 1), [0, -1.068972, -2.137945], 0.334915, 3)
        self.assert_pixel(self.invert_well("-w", "coh"), (0, 1), [0, -1.523599, -3.047198], 0.413105, 3)
        fisher = self.invert_well("-w", "fim")
        np.testing.assert_allclose(fisher.series[:, 0, 1], [0, -1.070334, -2.140668], atol=5e-6)

    def test_coherence_of_nan_or_zero_weighs_little_and_harms_nothing(self):
        coherence = np.full((7, 1, 3), 0.8, "f4")
        coherence[:, 0, 1] = [np.nan, 0, 0.3, 0.9, 0.9, 0.9, 0.9]
        self.write_signal(coherence=coherence)
        for weight in ("var", "fim", "coh"):
            with self.subTest(weight):
                self.assert_signal(self.invert_well("-w", weight), (0, 1), 7)
        masked = self.invert_well("--mask-dset", "coherence", "--mask-thres", "0.4")
        self.assert_signal(masked, (0, 1), 4)

    def test_exact_data_is_recovered_with_every_weight_function(self):
        self.write_signal()
        for weight in ("var", "fim", "coh", "no"):
            with self.subTest(weight):
                self.assert_signal(self.invert_well("-w", weight), (0, 1), 7)

    def test_the_mask_threshold_is_compared_as_float32(self):
        coherence = np.full((7, 1, 3), 0.8, "f4")
        coherence[6, 0, 1] = np.float32(0.4)
        coherence[6, 0, 2] = np.nextafter(np.float32(0.4), np.float32(0))
        self.write_signal(coherence=coherence)
        products = self.invert_well("--mask-dset", "coherence", "--mask-thres", "0.4")
        self.assertEqual(products.count[0].tolist(), [7, 7, 6])


if __name__ == "__main__":
    main()
