"""Tests of stacks whose samples lie elsewhere: virtual datasets, external storage and links, in the folder and out."""
import os

import h5py

import mintpy_files as mp
from outcrop_run import SceneTest, main


class Linked(SceneTest):
    def setUp(self):
        super().setUp()
        self.samples = mp.interferograms(mp.history(4, 5, growth=0.01))
        mp.write_stack(self.stack, self.samples)
        self.plain = self.invert_well()
        for name in mp.Products.NAMES:
            os.remove(self.path(name))
        os.mkdir(self.path("elsewhere"))

    def write_source(self, path):
        with h5py.File(self.path(path), "w") as file:
            file["values"] = self.samples

    def replace_by(self, make):
        with h5py.File(self.stack, "r+") as file:
            del file["unwrapPhase"]
            make(file)

    def make_virtual(self, source):
        layout = h5py.VirtualLayout(self.samples.shape, "f4")
        layout[...] = h5py.VirtualSource(source, "values", self.samples.shape)
        self.replace_by(lambda file: file.create_virtual_dataset("unwrapPhase", layout))

    def assert_needs_permission(self):
        self.assert_refused(self.invert(), "--allow-external", codes=(1, 2))
        self.assert_same_values(self.plain, self.invert_well("--allow-external"))

    def test_a_virtual_dataset_of_the_same_folder_is_read(self):
        self.write_source("inputs/source.h5")
        self.make_virtual("source.h5")
        self.assert_same_values(self.plain, self.invert_well())

    def test_a_virtual_dataset_of_another_folder_needs_permission(self):
        self.write_source("elsewhere/source.h5")
        self.make_virtual(self.path("elsewhere/source.h5"))
        self.assert_needs_permission()

    def test_a_virtual_dataset_without_its_source_is_refused_even_with_permission(self):
        self.make_virtual("absent.h5")
        self.assert_refused(self.invert(), "absent.h5", codes=(1, 2))
        self.assert_refused(self.invert("--allow-external"), "absent.h5", codes=(1, 2))

    def test_external_storage_needs_permission(self):
        raw = self.path("elsewhere/samples.raw")
        self.samples.tofile(raw)
        self.replace_by(lambda file: file.create_dataset("unwrapPhase", self.samples.shape, "f4",
                                                         external=[(raw, 0, self.samples.nbytes)]))
        self.assert_needs_permission()

    def test_an_external_link_out_of_the_folder_needs_permission(self):
        self.write_source("elsewhere/source.h5")
        link = h5py.ExternalLink(self.path("elsewhere/source.h5"), "values")
        self.replace_by(lambda file: file.__setitem__("unwrapPhase", link))
        self.assert_needs_permission()

    def test_a_soft_link_inside_the_file_and_a_symlink_to_the_file_are_followed(self):
        with h5py.File(self.stack, "r+") as file:
            file.move("unwrapPhase", "stored")
            file["unwrapPhase"] = h5py.SoftLink("/stored")
        os.rename(self.stack, self.path("elsewhere/real.h5"))
        os.symlink(self.path("elsewhere/real.h5"), self.stack)
        self.assert_same_values(self.plain, self.invert_well())


if __name__ == "__main__":
    main()
