"""Tests that whatever h5py and other programs write as a stack is read as they meant it."""
import os
import unittest

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import SceneTest, main


class Compression(SceneTest):
    # MintPy writes connectComponent and geometries with lzf, which only h5py knows: MintPy pull requests 203 and 1338.

    def run_stored(self, **storage):
        component = np.ones((7, 5, 6), "i2")
        self.write_signal(5, 6, growth=0.01, storage=storage, more={"connectComponent": component})
        return self.invert_well("--mask-dset", "connectComponent")

    def test_every_usual_filter_gives_the_numbers_of_the_uncompressed_file(self):
        plain = self.run_stored()
        for storage in (
            {"chunks": True},
            {"compression": "lzf", "chunks": True},
            {"compression": "lzf", "shuffle": True, "chunks": (2, 3, 4)},
            {"compression": "gzip", "compression_opts": 4, "shuffle": True, "chunks": (2, 3, 4)},
            {"compression": "gzip", "compression_opts": 1, "fletcher32": True, "chunks": (7, 5, 6)},
            {"fletcher32": True, "chunks": (1, 5, 6)},
            {"compression": "lzf", "fletcher32": True, "shuffle": True, "chunks": (3, 2, 5), "maxshape": (None, 5, 6)},
        ):
            with self.subTest(**storage):
                self.assert_same_values(plain, self.run_stored(**storage))

    def test_small_datasets_may_be_compressed_too(self):
        # Found by a random scene: the library has no lzf, and its plug-ins are not loaded.
        self.write_signal(2, 3, bperp=np.arange(7) * 10.0)
        plain = self.invert_well()
        for storage in ({"compression": "lzf"}, {"compression": "lzf", "shuffle": True, "fletcher32": True},
                        {"compression": "gzip"}):
            with h5py.File(self.stack, "r+") as file:
                for name in ("bperp", "date", "dropIfgram"):
                    values = file[name][()]
                    del file[name]
                    file.create_dataset(name, data=values, **storage)
            with self.subTest(**storage):
                self.assert_same_values(plain, self.invert_well())

    def test_a_small_dataset_whose_lzf_data_are_damaged_is_named(self):
        self.write_signal(2, 3)
        with h5py.File(self.stack, "r+") as file:
            del file["bperp"]
            dataset = file.create_dataset("bperp", (7,), "f4", chunks=(7,), compression="lzf")
            dataset.id.write_direct_chunk((0,), b"\xff" * 9)
        self.assert_refused(self.invert(), "bperp", "ifgramStack.h5")

    def test_a_filter_that_nobody_has_is_named(self):
        self.write_signal(2, 2)
        with h5py.File(self.stack, "r+") as file:
            values = file["unwrapPhase"][()]
            del file["unwrapPhase"]
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_chunk(values.shape)
            properties.set_filter(32099, h5py.h5z.FLAG_OPTIONAL, (1,))
            space = h5py.h5s.create_simple(values.shape)
            dataset = h5py.h5d.create(file.id, b"unwrapPhase", h5py.h5t.IEEE_F32LE, space, properties)
            dataset.write_direct_chunk((0, 0, 0), values.tobytes())
        self.assert_refused(self.invert(), "unwrapPhase", "32099", "ifgramStack.h5", codes=(1, 2))


class DateText(SceneTest):
    def write_dates(self, dates, phases=(1, 2, 3)):
        samples = np.zeros((3, 1, 2), "f4")
        samples[:, 0, 0] = 0.5
        samples[:, 0, 1] = 0.5 + np.array(phases)
        mp.write_stack(self.stack, samples, pairs=[(0, 1), (1, 2), (0, 2)], dates=dates)

    def test_the_eighth_character_of_a_date_counts_and_is_written(self):
        self.write_dates(["20200101", "20200102", "20200103"])
        products = self.invert_well()
        self.assertEqual(products.dates, ["20200101", "20200102", "20200103"])
        with h5py.File(self.path("timeseries.h5")) as file:
            kind = file["date"].id.get_type()
            self.assertEqual(kind.get_size(), 8)
            self.assertEqual(kind.get_strpad(), h5py.h5t.STR_NULLPAD)
            self.assertFalse(kind.is_variable_str())

    def test_a_date_that_is_none_is_refused_with_its_text(self):
        for wrong in ("2020010x", "20201301", "20200230", "00000000"):
            with self.subTest(wrong):
                self.write_dates(["20200101", wrong, "20200103"])
                self.assert_refused(self.invert(), wrong)

    def test_dates_with_a_time_of_day_stay_apart_and_keep_their_form(self):
        # From MintPy issue 376, https://github.com/insarlab/MintPy/issues/376
        dates = ["20200101T0600", "20200101T1800", "20200102T0600"]
        self.write_dates(dates)
        products = self.invert_well()
        self.assertEqual(products.dates, dates)
        self.assertEqual(mp.read(self.path("timeseries.h5"), "date").dtype, np.dtype("S13"))
        self.assert_pixel(products, (0, 1), [0, -1, -3], 1, 3)

    def test_mixed_and_short_forms_of_dates_are_refused(self):
        for dates in (["20200101", "20200101T1800", "20200102T0600"], ["200101", "200102", "200103"]):
            with self.subTest(dates):
                self.write_dates(dates)
                self.assert_refused(self.invert(), "date")


class AttributeForms(SceneTest):
    # MintPy writes text; other programs write numbers, bytes and arrays of one.

    def test_numbers_bytes_and_arrays_of_one_are_accepted(self):
        self.write_signal(1, 3)
        mp.set_attributes(self.stack, LENGTH=np.int64(1), WIDTH=np.bytes_("3"), WAVELENGTH=np.array([4 * np.pi]),
                          REF_Y="0.0", REF_X=" 0", PROCESSOR="isce-\u00e9\u4e2d", EMPTY="")
        self.assert_signal(self.invert_well(), (0, 1))
        attributes = mp.attributes_of(self.path("timeseries.h5"))
        self.assertEqual(attributes["PROCESSOR"], "isce-\u00e9\u4e2d")
        self.assertEqual(attributes["EMPTY"], "")
        self.assertTrue(all(isinstance(value, str) for value in attributes.values()), attributes)

    def test_an_attribute_of_more_than_64_kb_is_passed_on(self):
        self.write_signal(1, 3)
        with h5py.File(self.stack, "r+", libver="latest") as file:
            file.attrs["HISTORY"] = "x" * 70000
        self.assert_signal(self.invert_well(), (0, 1))
        self.assertEqual(len(mp.attributes_of(self.path("timeseries.h5"))["HISTORY"]), 70000)

    def test_a_size_that_contradicts_the_dataset_is_refused(self):
        for name in ("LENGTH", "WIDTH"):
            with self.subTest(name):
                self.write_signal(2, 3, attributes={name: "7"})
                self.assert_refused(self.invert(), name, "7")

    def test_a_decimal_comma_in_the_locale_changes_nothing(self):
        self.write_signal(1, 3, attributes={"NCORRLOOKS": "5.16"})
        plain = self.invert_well("--mask-dset", "coherence", "--mask-thres", "0.5")
        comma = self.invert_well("--mask-dset", "coherence", "--mask-thres", "0.5",
                                 env={"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"})
        self.assert_same_values(plain, comma)


class NumberTypes(SceneTest):
    def test_any_float_type_and_byte_order_is_read(self):
        self.write_signal(3, 4)
        plain = self.invert_well()
        for kind in ("<f8", ">f4", ">f8"):
            with self.subTest(kind):
                samples = mp.interferograms(mp.history(3, 4)).astype(kind)
                mp.write_stack(self.stack, samples)
                self.assert_same_values(plain, self.invert_well())

    def test_integer_phases_are_refused(self):
        samples = mp.interferograms(mp.history(3, 4)).astype("i4")
        mp.write_stack(self.stack, samples)
        self.assert_refused(self.invert(), "unwrapPhase")

    def test_integer_coherence_outside_0_to_1_stops_the_run(self):
        self.write_signal(3, 4, more={"coherence": np.full((7, 3, 4), 204, "u1")})
        self.assert_refused(self.invert(), "coherence", codes=(1,))

    def test_files_of_the_newest_library_format_are_read(self):
        self.write_signal(3, 4, growth=0.01)
        plain = self.invert_well()
        with h5py.File(self.stack) as old, h5py.File(self.path("new.h5"), "w", libver="latest") as new:
            for name in old:
                new.create_dataset(name, data=old[name][()], **({"chunks": True} if old[name].ndim == 3 else {}))
            new.attrs.update(dict(old.attrs))
        os.replace(self.path("new.h5"), self.stack)
        self.assert_same_values(plain, self.invert_well())


if __name__ == "__main__":
    main()
