"""Tests that no damaged file crashes the program, hangs it or leaves outputs: bytes flipped at random, cut files."""
import os
import unittest

import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main

LAYOUTS = (
    {},
    {"chunks": (3, 4, 5)},
    {"chunks": (2, 8, 10), "compression": "gzip", "shuffle": True},
    {"chunks": (7, 4, 10), "compression": "lzf", "fletcher32": True},
)


class Damage(SceneTest):
    # hdf5 issues 2209, 5871 and 6401: crafted files crash readers that trust their sizes.

    def intact(self, storage):
        mp.write_stack(self.stack, mp.interferograms(mp.history(8, 10, growth=0.01)), storage=storage)
        with open(self.stack, "rb") as file:
            return file.read()

    def run_damaged(self, content, what):
        with open(self.stack, "wb") as file:
            file.write(content)
        run = self.invert("--memory", "256M", "-q", timeout=30)
        self.assertIn(run.code, (0, 1, 2), f"{what}: {run.stderr}")
        for noise in ("terminate called", "HDF5-DIAG", "AddressSanitizer", "runtime error"):
            self.assertNotIn(noise, run.stderr, what)
        if run.code != 0:
            self.assertTrue(run.stderr.strip(), what)
            self.assert_nothing_written()
        for name in mp.Products.NAMES:
            if run.code == 0:
                os.remove(self.path(name))

    def flip(self, content, random, first, last, flips):
        damaged = bytearray(content)
        for place in random.integers(first, last, flips):
            damaged[place] = random.integers(0, 256)
        return bytes(damaged)

    def test_bytes_flipped_anywhere(self):
        for number, storage in enumerate(LAYOUTS):
            content = self.intact(storage)
            for seed in range(40):
                random = np.random.default_rng([number, seed])
                damaged = self.flip(content, random, 0, len(content), 1 + seed % 20)
                self.run_damaged(damaged, f"layout {number}, seed {seed}")

    def test_bytes_flipped_in_the_headers(self):
        for number, storage in enumerate(LAYOUTS):
            content = self.intact(storage)
            for seed in range(40):
                random = np.random.default_rng([number, seed, 1])
                damaged = self.flip(content, random, 0, min(4096, len(content)), 1 + seed % 5)
                self.run_damaged(damaged, f"layout {number}, seed {seed}")

    def test_files_cut_anywhere(self):
        for number, storage in enumerate(LAYOUTS):
            content = self.intact(storage)
            for kept in range(0, len(content), len(content) // 23):
                self.run_damaged(content[:kept], f"layout {number}, cut at {kept}")


if __name__ == "__main__":
    main()
