"""Tests that what cannot work is refused before the first output byte, and that older outputs stay as they are."""
import os

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, main


class MissingItems(SceneTest):
    # A failed run left full-size files of zeros behind: MintPy issues 448, 679, 1258, 1344 and 1491.

    def assert_refused_in_peace(self, words, *arguments, spoil):
        """Refused in an empty folder, and in one with good older outputs, which keep their bytes."""
        with self.subTest(words):
            self.write_signal()
            spoil()
            self.assert_refused(self.invert(*arguments), *words)
            self.write_signal()
            self.invert_well()
            before = self.product_hashes()
            spoil()
            self.assertEqual(self.invert(*arguments).code, 2)
            self.assertEqual(self.product_hashes(), before)
            self.assert_nothing_unfinished()
            for name in mp.Products.NAMES:
                os.remove(self.path(name))

    def remove(self, dataset):
        with h5py.File(self.stack, "r+") as file:
            del file[dataset]

    def attributes(self, **changes):
        mp.set_attributes(self.stack, **changes)

    def test_datasets_that_are_missing(self):
        self.assert_refused_in_peace(["coherence"], "-w", "var", spoil=lambda: self.remove("coherence"))
        self.assert_refused_in_peace(["unwrapPhase"], "-w", "no", spoil=lambda: self.remove("unwrapPhase"))
        self.assert_refused_in_peace(["date"], spoil=lambda: self.remove("date"))
        self.assert_refused_in_peace(["bperp"], spoil=lambda: self.remove("bperp"))
        self.assert_refused_in_peace(["unwrapPhase_bridging"], "-d", "unwrapPhase_bridging", spoil=lambda: None)

    def test_attributes_that_are_missing_or_impossible(self):
        self.assert_refused_in_peace(["WAVELENGTH"], spoil=lambda: self.attributes(WAVELENGTH=None))
        self.assert_refused_in_peace(["WAVELENGTH"], spoil=lambda: self.attributes(WAVELENGTH="short"))
        self.assert_refused_in_peace(["REF_X"], spoil=lambda: self.attributes(REF_X="3"))
        self.assert_refused_in_peace(["REF_Y"], spoil=lambda: self.attributes(REF_Y=None))
        self.assert_refused_in_peace(["REF_Y"], spoil=lambda: self.attributes(REF_Y="-1"))
        self.assert_refused_in_peace(["ALOOKS"], spoil=lambda: self.attributes(ALOOKS=None))
        self.assert_refused_in_peace(["NCORRLOOKS"], spoil=lambda: self.attributes(NCORRLOOKS="many"))

    def test_settings_that_are_impossible(self):
        for words, arguments in (
            (["weight"], ["-w", "best"]),
            (["mask"], ["--mask-dset", "offsetSNR"]),
            (["nowhere.h5"], ["-m", "nowhere.h5"]),
            (["nowhere.cfg"], ["-t", "nowhere.cfg"]),
            (["nowhere.toml"], ["--config", "nowhere.toml"]),
            (["5by5"], ["--tile", "5by5"]),
            (["--dset"], ["-d", "velocity"]),
            (["three names"], ["-o", "a.h5", "a.h5", "b.h5"]),
        ):
            self.assert_refused_in_peace(words, *arguments, spoil=lambda: None)

    def test_without_weights_neither_coherence_nor_looks_are_needed(self):
        self.write_signal(coherence=None, attributes={"ALOOKS": None, "RLOOKS": None})
        self.assert_signal(self.invert_well("-w", "no"), (0, 1))

    def test_a_baseline_that_is_nan_is_refused_with_its_pair(self):
        self.write_signal(bperp=[0, np.nan, 0, 0, 0, 0, 0])
        self.assert_refused(self.invert(), "20200113_20200125")

    def test_a_strange_wavelength_is_used_with_a_warning(self):
        self.write_signal(attributes={"WAVELENGTH": "56"})
        self.assertIn("WAVELENGTH", "\n".join(self.warnings(self.invert_well().run)))

    def test_a_mask_of_another_size_is_refused_with_both_sizes(self):
        self.write_signal(2, 3)
        mp.write_map(self.path("waterMask.h5"), "waterMask", np.ones((4, 5), bool))
        self.assert_refused(self.invert("-m", "waterMask.h5"), "4 x 5", "2 x 3")

    def test_an_average_coherence_of_another_size_is_ignored_with_a_warning(self):
        self.write_signal(2, 3)
        mp.write_map(self.path("avgSpatialCoh.h5"), "coherence", np.zeros((4, 5), "f4"))
        products = self.invert_well()
        self.assert_signal(products, (0, 1))
        self.assertIn("avgSpatialCoh.h5", "\n".join(self.warnings(products.run)))


class NotAStack(SceneTest):
    def test_no_file_a_folder_and_text_are_refused_with_the_name(self):
        self.assert_refused(self.invert(), STACK)
        os.mkdir(self.stack)
        self.assert_refused(self.invert(), STACK)
        os.rmdir(self.stack)
        with open(self.stack, "w", encoding="utf-8") as file:
            file.write("text, not HDF5\n" * 100)
        self.assert_refused(self.invert(), STACK)

    def test_a_named_pipe_is_refused_at_once(self):
        os.mkfifo(self.stack)
        self.assert_refused(self.invert(timeout=20), STACK)

    def test_a_truncated_file_is_refused_with_its_name(self):
        # From h5py issues 879 and 2340.
        self.write_signal(40, 50)
        size = os.path.getsize(self.stack)
        for kept in (0, 96, size // 2, size - 1):
            with self.subTest(kept=kept, size=size):
                self.write_signal(40, 50)
                os.truncate(self.stack, kept)
                self.assert_refused(self.invert(), STACK, codes=(1, 2))

    def write_shape(self, name, shape, kind, **storage):
        self.write_signal()
        with h5py.File(self.stack, "r+") as file:
            del file[name]
            file.create_dataset(name, shape, kind, **storage)

    def test_sizes_that_no_machine_holds_are_refused_within_the_memory(self):
        self.write_shape("unwrapPhase", (7, 2**40, 2**40), "f4", chunks=(1, 64, 64))
        self.assert_refused(self.invert("--memory", "256M", timeout=30), codes=(1, 2))
        self.write_shape("date", (10**9, 2), "S8", chunks=(1000, 2))
        self.assert_refused(self.invert("--memory", "256M", timeout=30), "date", codes=(1, 2))

    def test_a_chunk_of_nearly_4_gb_is_refused_within_the_memory(self):
        self.write_signal()
        with h5py.File(self.stack, "r+") as file:
            for name in ("unwrapPhase", "coherence"):
                del file[name]
                file.create_dataset(name, (7, 16384, 8192), "f4", chunks=(7, 16384, 8192))
            file.attrs.update({"LENGTH": "16384", "WIDTH": "8192"})
        run = self.invert("--memory", "256M", timeout=60)
        self.assertIn(run.code, (0, 1, 2), run.stderr)
        if run.code != 0:
            self.assert_refused(run, "--memory", codes=(1, 2))


if __name__ == "__main__":
    main()
