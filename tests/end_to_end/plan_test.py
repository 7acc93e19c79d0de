"""Tests of --plan on what is larger than any test file: a continent of which only headers exist; and of the stages'
names, which are the same in predictions and in measurements."""
import datetime
import json
import resource

import h5py
import numpy as np

from outcrop_run import SceneTest, main

SIDE, PAIRS, DATES = 31623, 1500, 300  # 10^9 pixels
LAYOUTS = {"contiguous": {}, "chunks": {"chunks": True}, "lzf": {"chunks": True, "compression": "lzf"},
           "large chunks": {"chunks": (1, 512, 512), "compression": "gzip"}}


def pairs():
    first = datetime.date(2015, 1, 1)
    dates = [(first + datetime.timedelta(days=6 * i)).strftime("%Y%m%d") for i in range(DATES)]
    all_pairs = [(dates[i], dates[i + k]) for k in range(1, 7) for i in range(DATES - k)]
    return np.array(sorted(all_pairs[:PAIRS]), dtype="S8")


def write_headers(path, **layout):
    with h5py.File(path, "w") as file:
        for name in ("unwrapPhase", "coherence"):
            file.create_dataset(name, (PAIRS, SIDE, SIDE), "f4", **layout)
        file["date"] = pairs()
        file["bperp"] = np.zeros(PAIRS, "f4")
        file["dropIfgram"] = np.ones(PAIRS, bool)
        file.attrs.update(FILE_TYPE="ifgramStack", WAVELENGTH="0.056", ALOOKS="3", RLOOKS="9", REF_Y="0", REF_X="0",
                          PROCESSOR="isce", LENGTH=str(SIDE), WIDTH=str(SIDE))


class Continent(SceneTest):
    def plan(self, *arguments):
        run = self.invert("--memory", "8G", *arguments)
        self.assertEqual(run.code, 0, run.stderr)
        return run.stdout

    def test_a_billion_pixels_are_planned_from_headers_at_once(self):
        for name, layout in LAYOUTS.items():
            with self.subTest(name):
                write_headers(self.stack, **layout)
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                plan = json.loads(self.plan("--plan=json"))
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                # A second on a machine of its own; more with sanitizers.
                self.assertLess(after.ru_utime - before.ru_utime, 5)
                self.assertEqual(plan["pixels"]["total"], SIDE * SIDE)
                self.assertEqual(plan["bytes"]["decoded"], 2 * PAIRS * SIDE * SIDE * 4)
                self.assertEqual(plan["bytes"]["output"], (DATES * 4 + 4 + 4) * SIDE * SIDE)
                files = 3
                self.assertGreaterEqual(plan["bytes"]["space"], plan["bytes"]["output"] + files * 2**20)
                moved = plan["bytes"]["decoded"] + plan["bytes"]["output"]
                self.assertAlmostEqual(plan["network_s"]["1_gbe"] / (moved / 117e6), 1, places=6)
                self.assertLess(sum(plan["memory"].values()), plan["memory_cap_bytes"])
                self.assertGreater(plan["predicted"]["stages"]["read"], 1000)
                tiles = plan["tiles"]
                self.assertGreaterEqual(tiles["count"] * tiles["rows"] * tiles["cols"], SIDE * SIDE)

    def test_hours_over_networks_and_the_missing_data_are_told(self):
        write_headers(self.stack, **LAYOUTS["lzf"])
        text = self.plan("--plan")
        self.assertRegex(text, r"network +in and out \d+ h \d+ min over 1 GbE, \d+ h \d+ min over 10 GbE")
        self.assertIn("the input holds no data yet", text)

    def test_a_device_says_what_it_needs(self):
        write_headers(self.stack, **LAYOUTS["chunks"])
        with open(self.path("sim.toml"), "w", encoding="utf-8") as file:
            file.write('[sim]\nmemory = "2G"\ncopy_rate = 1e10\ncompute_rate = 1e12\n')
        plan = json.loads(self.plan("--plan=json", "--device", "sim", "--config", "sim.toml"))
        self.assertGreater(plan["device_memory_bytes"], 0)
        self.assertAlmostEqual(plan["predicted"]["stages"]["copy_in"] / (plan["bytes"]["decoded"] / 1e10), 1, places=6)


class StageNames(SceneTest):
    def test_predictions_and_measurements_have_the_same_stages(self):
        self.write_signal(64, 64, storage={"chunks": (4, 16, 16)})
        for more in ((), ("--tile", "16x16"), ("--device", "sim")):
            with self.subTest(more):
                self.invert_well("--report", "run.json", *more)
                with open(self.path("run.json"), encoding="utf-8") as file:
                    report = json.load(file)
                self.assertEqual(set(report["stages"]), set(report["predicted"]["stages"]))
                for stage in report["stages"].values():
                    self.assertLessEqual(stage["alone_s"], stage["busy_s"])


if __name__ == "__main__":
    main()
