"""Tests that the products are the same bytes whatever threads, tile, memory, slots and runner made them."""
import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main

ROWS, COLS = 61, 47


def ragged_samples():
    """Noise, holes, cut networks, empty pixels: every branch of the solver."""
    random = np.random.default_rng(7)
    samples = mp.interferograms(mp.history(ROWS, COLS, growth=0.001))
    samples += random.normal(0, 0.3, samples.shape).astype("f4")
    samples[:, 0, 0] = mp.CONSTANTS
    samples[random.random(samples.shape) < 0.2] = np.nan
    samples[:, 20:30, 5:9] = 0
    samples[:, 0, 0] = mp.CONSTANTS
    return samples


class SameBits(SceneTest):
    def setUp(self):
        super().setUp()
        coherence = np.random.default_rng(8).random((7, ROWS, COLS))
        mp.write_stack(self.stack, ragged_samples(), coherence=coherence,
                       storage={"chunks": (3, 16, 12), "compression": "lzf"})
        self.first = self.hashes("--threads", "1")

    def hashes(self, *arguments):
        self.invert_well(*arguments)
        return self.product_hashes()

    def config(self, text):
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        return "run.toml"

    def assert_same(self, *arguments):
        with self.subTest(arguments):
            self.assertEqual(self.hashes(*arguments), self.first)

    def test_for_any_number_of_threads(self):
        for threads in (1, 2, 4, 16):
            self.assert_same("--threads", threads)

    def test_for_any_tile(self):
        for tile in ("61x47", "1x47", "61x1", "3x5", "16x12", "17x13", "60x46", "1000x1000"):
            self.assert_same("--tile", tile)

    def test_for_a_tile_of_one_pixel(self):
        with h5py.File(self.stack, "r+") as file:
            for name in ("unwrapPhase", "coherence"):
                corner = file[name][:, :9, :7]
                del file[name]
                file[name] = corner
            file.attrs.update({"LENGTH": "9", "WIDTH": "7"})
        self.first = self.hashes("--threads", "1")
        self.assert_same("--tile", "1x1")

    def test_for_any_memory(self):
        for memory in ("80M", "100M", "256M", "4G"):
            self.assert_same("--memory", memory)

    def test_for_both_runners_and_any_number_of_slots(self):
        self.assert_same("--config", self.config('[run]\nrunner = "serial"\n'))
        self.assert_same("--config", self.config('[run]\nrunner = "serial"\n'), "--tile", "5x9")
        self.assert_same("--config", self.config("[tiles]\nslots = 1\n"), "--tile", "5x9")
        many = self.config("[tiles]\nslots = 7\n[storage]\nreaders = 3\nwriters = 2\n")
        self.assert_same("--config", many, "--tile", "5x9")

    def test_for_another_layout_of_the_same_input(self):
        first = mp.Products(self.folder)
        mp.write_stack(self.stack, ragged_samples(), coherence=mp.read(self.stack, "coherence"))
        self.assert_same_values(first, self.invert_well())


class OddSizes(SceneTest):
    # From MintPy pull request 1024 and issue 848: last blocks of one row or column, single pixels.

    def run_image(self, rows, cols, reference):
        phase = mp.history(rows, cols, growth=0.0101)
        phase -= phase[:, reference[0], reference[1], None, None]
        at = {"REF_Y": str(reference[0]), "REF_X": str(reference[1])}
        mp.write_stack(self.stack, mp.interferograms(phase), attributes=at)
        whole = self.invert_well()
        for tile in ("10x5", "1x1", "3x2"):
            self.assert_same_values(whole, self.invert_well("--tile", tile))
        np.testing.assert_allclose(whole.series, -phase, atol=2e-5)
        self.assertTrue(np.all(whole.count == 7))

    def test_images_of_one_row_one_column_one_pixel_and_odd_sizes(self):
        for rows, cols in ((1, 23), (23, 1), (1, 1), (11, 7)):
            for reference in ((0, 0), (rows - 1, cols - 1)):
                with self.subTest(rows=rows, cols=cols, reference=reference):
                    self.run_image(rows, cols, reference)


if __name__ == "__main__":
    main()
