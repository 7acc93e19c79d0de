"""Tests that MintPy can go on with what outcrop wrote: datasets, types, attributes, names."""
import json
import os

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, main, outcrop

KEYS = {
    "mintpy.networkInversion.obsDatasetName": "unwrapPhase",
    "mintpy.networkInversion.numIfgram": "7",
    "mintpy.networkInversion.weightFunc": "var",
    "mintpy.networkInversion.maskDataset": "None",
    "mintpy.networkInversion.maskThreshold": "0.4",
    "mintpy.networkInversion.minRedundancy": "1.0",
    "mintpy.networkInversion.minNormVelocity": "True",
}


class Products(SceneTest):
    # Wrong or missing attributes broke later steps: MintPy issues 454, 632 and 1206, pull request 1187.

    def datasets(self, name):
        with h5py.File(self.path(name)) as file:
            return {key: (file[key].shape, str(file[key].dtype)) for key in file}

    def run_geocoded(self):
        grid = {"X_FIRST": "-99.1", "Y_FIRST": "19.5", "X_STEP": "0.001", "Y_STEP": "-0.001"}
        more = {"NO_DATA_VALUE": "0", "REF_DATE": "20190101", "beam_mode": "IW"}
        self.write_signal(4, 5, attributes={**grid, **more}, bperp=[10, 20, 30, 40, 30, 50, 70])
        self.invert_well()

    def test_each_file_has_its_datasets_in_little_endian_float32(self):
        self.run_geocoded()
        self.assertEqual(self.datasets("timeseries.h5"),
                         {"timeseries": ((5, 4, 5), "float32"), "bperp": ((5,), "float32"), "date": ((5,), "|S8")})
        self.assertEqual(self.datasets("temporalCoherence.h5"), {"temporalCoherence": ((4, 5), "float32")})
        self.assertEqual(self.datasets("numInvIfgram.h5"), {"mask": ((4, 5), "float32")})
        np.testing.assert_allclose(mp.read(self.path("timeseries.h5"), "bperp"), [0, 10, 30, 60, 100], atol=1e-4)

    def test_each_file_keeps_the_attributes_of_the_stack_and_adds_its_own(self):
        self.run_geocoded()
        stack = mp.attributes_of(self.stack)
        common = {**stack, **KEYS, "START_DATE": "20200101", "END_DATE": "20200218"}
        del common["REF_DATE"]
        series = {**common, "FILE_TYPE": "timeseries", "UNIT": "m", "REF_DATE": "20200101"}
        quality = {**common, "FILE_TYPE": "temporalCoherence", "UNIT": "1"}
        count = {**common, "FILE_TYPE": "mask", "UNIT": "1"}
        del count["NO_DATA_VALUE"]
        for name, expected in zip(mp.Products.NAMES, (series, quality, count)):
            with self.subTest(name):
                written = mp.attributes_of(self.path(name))
                ours = {k: v for k, v in written.items() if not k.startswith("outcrop.")}
                self.assertEqual(ours, expected)
                self.assertEqual(written["outcrop.deviations"], "{}")

    def test_attributes_are_variable_length_utf8_text_as_mintpy_writes_it(self):
        self.run_geocoded()
        with h5py.File(self.path("timeseries.h5")) as file:
            for name in file.attrs:
                kind = file.attrs.get_id(name).get_type()
                self.assertTrue(kind.is_variable_str(), name)
                self.assertEqual(kind.get_cset(), h5py.h5t.CSET_UTF8, name)

    def test_the_series_file_is_larger_than_its_samples_so_that_mintpy_takes_it_as_complete(self):
        self.run_geocoded()
        self.assertGreater(os.path.getsize(self.path("timeseries.h5")), 4 * 5 * 4 * 5)

    def test_the_paths_of_the_products_are_the_only_result_on_stdout(self):
        self.write_signal()
        run = self.invert_well().run
        self.assertEqual(sorted(os.path.basename(line) for line in run.stdout.split()), sorted(mp.Products.NAMES))

    def test_names_given_with_o_are_used(self):
        self.write_signal()
        run = self.invert("-o", "a.h5", "residualB.h5", "c.h5")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(set(self.datasets("a.h5")), {"timeseries", "bperp", "date"})
        self.assertEqual(set(self.datasets("residualB.h5")), {"residual"})
        self.assertEqual(set(self.datasets("c.h5")), {"mask"})

    def test_an_ionosphere_stack_has_names_of_its_own(self):
        self.write_signal()
        os.rename(self.stack, self.path("inputs/ionStack.h5"))
        run = outcrop("invert-network", "inputs/ionStack.h5", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(self.entries(), sorted(["inputs", "ion.h5", "temporalCoherenceIon.h5", "numInvIon.h5"]))

    def test_a_missing_folder_for_outputs_is_made_but_not_for_a_plan(self):
        self.write_signal()
        self.assertEqual(self.invert("--out-dir", "runs/first", "--plan").code, 0)
        self.assertEqual(self.entries(), ["inputs"])
        self.assertEqual(self.invert("--out-dir", "runs/first").code, 0)
        self.assertEqual(self.entries(self.path("runs/first")), sorted(mp.Products.NAMES))
        self.assertEqual(self.invert("-o", "a/ts.h5", "b/c/tcoh.h5", "count.h5").code, 0)
        self.assertEqual(self.entries(self.path("b/c")), ["tcoh.h5"])

    def test_folders_for_work_and_outputs_are_kept_apart(self):
        self.write_signal()
        os.mkdir(self.path("out"))
        run = outcrop("invert-network", STACK, "--work-dir", self.folder, "--out-dir", "out", cwd="/")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(self.entries(), ["inputs", "out"])
        self.assertEqual(self.entries(self.path("out")), sorted(mp.Products.NAMES))

    def test_the_dataset_follows_the_unwrapping_correction_of_the_template(self):
        samples = mp.interferograms(mp.history(1, 3))
        for method, suffix in (("bridging", "_bridging"), ("phase_closure", "_phaseClosure"),
                               ("bridging + phase_closure", "_bridging_phaseClosure")):
            with self.subTest(method):
                mp.write_stack(self.stack, samples * np.nan, more={"unwrapPhase" + suffix: samples})
                with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
                    file.write(f"mintpy.unwrapError.method = {method}  # comment\n")
                self.assert_signal(self.invert_well("-t", "run.cfg"), (0, 1))

    def test_flags_win_over_the_template_in_any_form(self):
        self.write_signal()
        with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
            file.write("mintpy.networkInversion.weightFunc = no\nmintpy.networkInversion.maskThreshold = 0.9\n"
                       "mintpy.networkInversion.maskDataset = coherence\n")
        key = "mintpy.networkInversion."
        for flags, differs in ((["-wfim", "--mt=0.5"], True), (["--weight=fim", "--mask-thr", "0.5"], True),
                               (["--weight-func", "fim", "--mask-threshold", "0.5"], False)):
            with self.subTest(flags):
                self.invert_well("-t", "run.cfg", *flags)
                attributes = mp.attributes_of(self.path("timeseries.h5"))
                self.assertEqual(attributes[key + "weightFunc"], "fim")
                self.assertEqual(attributes[key + "maskThreshold"], "0.5")
                self.assertEqual(attributes[key + "maskDataset"], "coherence")
                # MintPy lets the template win over other spellings.
                counted = {"flags win over the template": 1} if differs else {}
                self.assertEqual(json.loads(attributes["outcrop.deviations"]), counted)


if __name__ == "__main__":
    main()
