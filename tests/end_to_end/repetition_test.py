"""Tests that many threads give the same answer every time."""
import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main

DATES = [f"2020{month:02d}{day:02d}" for month in range(1, 9) for day in (3, 15, 27)]
PAIRS = [(a, a + step) for step in (1, 2, 3) for a in range(len(DATES) - step)][:60]


class Repetition(SceneTest):
    # HDF5 called from several threads: hdf5 issues 2083 and 4689, MintPy issue 1048.

    def test_thirty_runs_of_many_threads_are_identical(self):
        rows, cols = 240, 300
        random = np.random.default_rng(3)
        phase = np.cumsum(random.normal(0, 1, (len(DATES), 1, 1)) * np.ones((1, rows, cols)), axis=0)
        phase *= 1 + 0.001 * np.arange(cols)
        phase -= phase[:, :1, :1]
        constants = np.linspace(20, 30, len(PAIRS))
        samples = mp.interferograms(phase, PAIRS, constants)
        samples[:, 1:][random.random((len(PAIRS), rows - 1, cols)) < 0.05] = np.nan
        coherence = np.round(random.random(samples.shape), 2).astype("f4")
        mp.write_stack(self.stack, samples, pairs=PAIRS, dates=DATES, coherence=None)
        with h5py.File(self.stack, "r+") as file:
            del file["unwrapPhase"]
            file.create_dataset("unwrapPhase", data=samples, chunks=(7, 31, 29), compression="gzip", compression_opts=1)
            file.create_dataset("coherence", data=coherence, chunks=(8, 25, 37), compression="lzf")
        config = '[tiles]\nslots = 6\n[storage]\nreaders = 4\nwriters = 3\n'
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write(config)
        self.invert_well("--threads", "1")
        first = self.product_hashes()
        for number in range(30):
            self.invert_well("--threads", "16", "--config", "run.toml", "--tile", "40x50", timeout=120)
            self.assertEqual(self.product_hashes(), first, f"run {number}")


if __name__ == "__main__":
    main()
