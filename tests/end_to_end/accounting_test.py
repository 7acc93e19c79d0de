"""Tests that the bytes of the run report are those that the run read and decoded."""
import json

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main

ROWS, COLS = 600, 500
IMAGES = 7 * ROWS * COLS * 4  # bytes of one dataset as float32


class Accounting(SceneTest):
    def bytes_of(self, *arguments):
        run = self.invert("--report", "run.json", *arguments)
        self.assertEqual(run.code, 0, run.stderr)
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)["bytes"]

    def write(self, **storage):
        samples = mp.interferograms(mp.history(ROWS, COLS, growth=1e-7))
        mp.write_stack(self.stack, samples, storage=storage)

    def test_plain_images_are_read_and_decoded_once(self):
        self.write()
        volumes = self.bytes_of()
        self.assertEqual(volumes["read"], 2 * IMAGES)
        self.assertEqual(volumes["decoded"], 2 * IMAGES)

    def test_chunks_that_tiles_do_not_cut_are_read_and_decoded_once(self):
        self.write(chunks=(3, 64, 64), compression="gzip", compression_opts=1)
        volumes = self.bytes_of("--tile", "128x64")
        self.assertEqual(volumes["read"], volumes["needed"])
        self.assertEqual(volumes["decoded"], 2 * IMAGES)

    def test_chunks_that_are_decoded_for_every_tile_count_every_time(self):
        self.write(chunks=(1, ROWS, COLS), compression="gzip", compression_opts=1)
        volumes = self.bytes_of("--tile", "200x500")
        self.assertGreater(volumes["needed"], 0)
        self.assertEqual(volumes["read"], 3 * volumes["needed"])
        self.assertEqual(volumes["decoded"], 3 * 2 * IMAGES)

    def test_the_search_for_medians_of_offsets_counts(self):
        offsets = np.ones((7, 40, 50), "f4")
        std = np.full_like(offsets, 0.1)
        attributes = {"RANGE_PIXEL_SIZE": "2.3", "REF_Y": None, "REF_X": None}
        mp.write_stack(self.stack, offsets, coherence=None, more={"rangeOffset": offsets, "rangeOffsetStd": std},
                       attributes=attributes)
        with h5py.File(self.stack, "r+") as file:
            del file["unwrapPhase"]
        flags = ["-i", "rangeOffset", "-w", "no", "--mask-dset", "rangeOffsetStd", "--mask-thres", "0.12"]
        volumes = self.bytes_of(*flags)
        self.assertEqual(volumes["needed"], 2 * offsets.nbytes)
        self.assertEqual(volumes["read"], 3 * volumes["needed"])  # two passes for the medians, one for the inversion
        self.assertEqual(volumes["decoded"], 3 * volumes["needed"])


if __name__ == "__main__":
    main()
