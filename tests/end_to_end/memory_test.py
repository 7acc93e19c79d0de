"""Tests that the memory cap holds, seen from outside, for scenes much larger than it."""
import os
import re
import shutil
import unittest

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, main, outcrop, outcrop_measured, sha256

MIB = 2**20
CAP = 512 * MIB
NEEDED_DISK = 8 * 2**30


def days(number):
    """Dates 12 days apart."""
    return [str(d).replace("-", "") for d in np.datetime64("2015-01-01") + 12 * np.arange(number)]


def neighbours(number, steps):
    return [(a, a + step) for step in range(1, steps + 1) for a in range(number - step)]


def write_repeated(path, rows, cols, dates, pairs, chunks, **storage):
    """A stack of any size at the speed of the disk: a few random chunks, encoded once, stored over and over."""
    random = np.random.default_rng(5)
    patterns = []
    for _ in range(3):
        with h5py.File("patterns", "w", driver="core", backing_store=False) as file:
            values = random.uniform(0.5, 0.95, chunks).astype("f4")
            dataset = file.create_dataset("values", data=values, chunks=chunks, **storage)
            patterns.append(dataset.id.read_direct_chunk((0, 0, 0))[1])
    mp.write_stack(path, np.ones((len(pairs), 1, 1), "f4"), pairs=pairs, dates=dates, attributes={"NCORRLOOKS": "9"})
    with h5py.File(path, "r+") as file:
        for name in ("unwrapPhase", "coherence"):
            del file[name]
            shape = (len(pairs), rows, cols)
            dataset = file.create_dataset(name, shape, "f4", chunks=chunks, **storage)
            starts = np.ndindex(*(-(-size // step) for size, step in zip(shape, chunks)))
            for number, start in enumerate(starts):
                place = tuple(i * step for i, step in zip(start, chunks))
                dataset.id.write_direct_chunk(place, patterns[number % len(patterns)])
        file.attrs.update({"LENGTH": str(rows), "WIDTH": str(cols)})


class MemoryCap(SceneTest):
    # The most frequent wish of users: MintPy issues 216, 361, 478, 488 and 556; GMTSAR 304 and 579; LiCSBAS 57.

    def setUp(self):
        super().setUp()
        if shutil.disk_usage(self.folder).free < NEEDED_DISK:
            self.skipTest(f"{self.folder} has less than {NEEDED_DISK >> 30} GiB free")

    def invert_measured(self, *arguments):
        run = outcrop_measured("invert-network", STACK, "--progress", "none", *arguments, cwd=self.folder, timeout=1800)
        self.assertEqual(run.code, 0, run.stderr)
        return run

    def assert_cap_holds(self, *arguments, cap=CAP):
        run = self.invert_measured("--memory", f"{cap // MIB}M", *arguments)
        self.assertLessEqual(run.peak_rss_bytes, cap, f"{run.peak_rss_bytes / MIB:.0f} MiB; {run.stderr}")
        return run

    def assert_cap_holds_with_the_same_answer(self):
        self.assert_cap_holds()
        first = self.product_hashes()
        self.assert_cap_holds("--threads", "8")
        self.assertEqual(self.product_hashes(), first)
        self.invert_measured("--memory", "3G")
        self.assertEqual(self.product_hashes(), first)

    def test_both_steps_in_one_pass_keep_the_cap(self):
        scene = ("--rows", "1500", "--cols", "1000", "--dates", "40", "--pairs-per-date", "3", "--bperp3d")
        self.assertEqual(outcrop("simulate", ".", *scene, cwd=self.folder, timeout=600).code, 0)
        self.assertGreater(os.path.getsize(self.stack), 2 * CAP)
        self.assert_cap_holds("--then", "correct-topography", "-g", "inputs/geometryRadar.h5")
        self.assert_cap_holds("--then", "correct-topography", "-g", "inputs/geometryRadar.h5", cap=160 * MIB)

    def test_a_contiguous_scene_of_2_gb_is_inverted_within_512_mib(self):
        made = outcrop("simulate", ".", "--rows", "2000", "--cols", "1500", "--dates", "30", "--pairs-per-date", "3",
                       "--nan", "0.02", "-q", cwd=self.folder, timeout=600)
        self.assertEqual(made.code, 0, made.stderr)
        self.assertGreater(os.path.getsize(self.stack), 2e9)
        self.assert_cap_holds_with_the_same_answer()
        checked = outcrop("simulate", ".", "--check", cwd=self.folder, timeout=300)
        self.assertEqual(checked.code, 0, checked.stderr)
        self.assertLess(float(re.search(r"rms ([0-9.]+) mm", checked.stdout)[1]), 5)

    def test_a_scene_in_small_deep_chunks_is_inverted_within_512_mib(self):
        write_repeated(self.stack, 2016, 1512, days(30), neighbours(30, 3), (16, 63, 54))
        self.assertGreater(os.path.getsize(self.stack), 2e9)
        self.assert_cap_holds_with_the_same_answer()

    def write_whole_image_chunks(self):
        write_repeated(self.stack, 2000, 1500, days(30), neighbours(30, 3), (1, 2000, 1500), compression="gzip",
                       compression_opts=1)
        self.assertGreater(os.path.getsize(self.stack), 1.2e9)

    def test_a_scene_in_whole_image_gzip_chunks_is_inverted_within_512_mib(self):
        self.write_whole_image_chunks()
        self.assert_cap_holds()
        first = self.product_hashes()
        self.invert_measured("--memory", "3G")
        self.assertEqual(self.product_hashes(), first)

    def test_whole_image_chunks_are_not_decoded_more_often_than_the_memory_asks_for(self):
        # 2 GB of samples and 0.36 GB of outputs pass through 512 MiB in 7 parts; twice that is generous.
        self.write_whole_image_chunks()
        plan = self.invert("--plan", "--memory", "512M")
        self.assertLessEqual(float(re.search(r"decoded ([0-9.]+) times", plan.stderr)[1]), 14)

    def write_sparse(self, rows, cols, num_dates, pairs, storage):
        """Shapes without content: unwritten chunks take no space on disk, and read as 0."""
        dates = days(num_dates)
        mp.write_stack(self.stack, np.ones((len(pairs), 1, 1), "f4"), pairs=pairs, dates=dates)
        with h5py.File(self.stack, "r+") as file:
            for name in ("unwrapPhase", "coherence"):
                del file[name]
                file.create_dataset(name, (len(pairs), rows, cols), "f4", **storage)
            file.attrs.update({"LENGTH": str(rows), "WIDTH": str(cols), "REF_Y": str(rows - 8), "REF_X": str(cols - 8)})

    def fill_corner(self, phase, pairs):
        """Truth [D, 8, 8] in the last rows and columns; the reference is their first pixel."""
        constants = 20 + np.arange(len(pairs)) % 7
        with h5py.File(self.stack, "r+") as file:
            file["unwrapPhase"][:, -8:, -8:] = mp.interferograms(phase, pairs, constants)
            file["coherence"][:, -8:, -8:] = 0.8

    def corner_phase(self, num_dates):
        phase = np.sin(np.arange(num_dates))[:, None, None] * (1 + 0.01 * np.arange(64).reshape(8, 8))
        return phase - phase[:, :1, :1] - (phase - phase[:, :1, :1])[:1]

    def assert_corner(self, phase, count):
        with h5py.File(self.path("timeseries.h5")) as file:
            np.testing.assert_allclose(file["timeseries"][:, -8:, -8:], -phase, atol=5e-5)
            self.assertFalse(np.any(file["timeseries"][:, :-8, :5]))
        counts = mp.read(self.path("numInvIfgram.h5"), "mask")
        self.assertTrue(np.all(counts[-8:, -8:] == count))
        self.assertEqual(np.count_nonzero(counts), 64)

    def test_400_pairs_of_an_empty_large_image_keep_to_any_cap(self):
        pairs = neighbours(30, 16)[:400]
        self.write_sparse(1000, 1000, 30, pairs, {"chunks": True})
        phase = self.corner_phase(30)
        self.fill_corner(phase, pairs)
        for cap, threads in ((192, 1), (512, 16), (1024, 2)):
            with self.subTest(cap=cap, threads=threads):
                self.assert_cap_holds("--threads", threads, cap=cap * MIB)
                self.assert_corner(phase, len(pairs))

    def test_more_than_2_to_the_31_samples_are_counted_right(self):
        # gdal pull request 12330, gmt pull request 7137: 32-bit sizes. 3003 pairs of 848 x 848 pixels.
        pairs = [(a, b) for a in range(78) for b in range(a + 1, 78)]
        self.write_sparse(848, 848, 78, pairs, {"chunks": (64, 50, 50)})
        phase = self.corner_phase(78)
        self.fill_corner(phase, pairs)
        self.assert_cap_holds(cap=1024 * MIB)
        self.assert_corner(phase, 3003)

    def test_a_cap_that_is_too_small_is_refused_with_one_that_works(self):
        self.write_signal(40, 50)
        for cap in ("5M", "0.001"):
            with self.subTest(cap):
                run = self.invert("--memory", cap)
                self.assert_refused(run, "at least")
        least = re.search(r"needs (\d+M)", run.stderr)[1]
        small = self.invert_measured("--memory", least)
        self.assertLessEqual(small.peak_rss_bytes, int(least[:-1]) * MIB)
        self.assertEqual(sha256(self.path("timeseries.h5")), self.hash_without_cap())

    def test_a_machine_is_measured_within_512_mib(self):
        run = outcrop_measured("measure", "-q", "-o", "machine.toml", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertLessEqual(run.peak_rss_bytes, CAP)

    def hash_without_cap(self):
        self.invert_well()
        return sha256(self.path("timeseries.h5"))


if __name__ == "__main__":
    main()
