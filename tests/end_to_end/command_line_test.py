"""Tests of the command line that users and scripts rely on: help, flags, exit codes, streams, plan and report."""
import json
import os
import unittest

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, main, outcrop

COMMANDS = ("invert-network", "simulate", "compare")

# Flags with an argument that must parse and leave the answer as it is.
HARMLESS = [
    ["-i", "unwrapPhase"], ["-d", "unwrapPhase"], ["--dset", "unwrapPhase"], ["--dset=unwrapPhase"],
    ["-w", "var"], ["--weight-func", "var"], ["--weight-func=no"], ["--weight-f", "coh"],
    ["--min-norm-phase"], ["--mask-dset", "coherence"], ["--mask-dataset", "coherence"], ["--md", "coherence"],
    ["--mask-thres", "0.5"], ["--mask-threshold", "0.5"], ["--mt", "0.5"], ["--mt=0.5"],
    ["--min-redun", "1"], ["--min-redundancy", "1"], ["--mr", "1"],
    ["-t", "run.cfg"], ["--template", "run.cfg"], ["-c", "local"], ["--cluster", "slurm"], ["--ref-date", "20200101"],
    ["--config", "no"], ["--config", "local"], ["--config", "run.toml"],
    ["--threads", "1"], ["--num-worker", "2"], ["--memory", "512M"], ["--ram", "1"], ["--maxmemory", "0.5"],
    ["--work-dir", "."], ["--out-dir", "."], ["--tile", "1x2"], ["--device", "cpu"], ["--device", "auto"],
    ["--solver", "auto"], ["--solver", "structured"], ["--solver", "batched"],
    ["--update"], ["--allow-external"], ["--accept-geometry"],
    ["--mintpy-compat"], ["--status-file", "status.h5"],
    ["-q"], ["-v"], ["--report", "run.json"], ["--trace", "trace.json"],
    ["-o", *mp.Products.NAMES], ["--output", *mp.Products.NAMES],
]

# Promised, but refused with a sentence until they are built; a line moves up when its feature comes.
NOT_BUILT = [
    ["--then", "correct-topography"], ["--resume"], ["--restart"],
    ["--verify"], ["--time-limit", "60"], ["--quicklook", "maps"],
]


class Help(SceneTest):
    def test_every_command_has_help_with_examples_on_stdout(self):
        for arguments in (["--help"], ["-h"], *([c, f] for c in COMMANDS for f in ("--help", "-h"))):
            with self.subTest(arguments):
                run = outcrop(*arguments)
                self.assertEqual((run.code, run.stderr), (0, ""))
                if len(arguments) == 2:
                    self.assertIn("Examples:", run.stdout)
                    self.assertIn(f"outcrop {arguments[0]}", run.stdout)
        self.assertIn("ifgram_inversion.py", outcrop("invert-network", "--help").stdout)

    def test_the_version_is_one_line(self):
        run = outcrop("--version")
        self.assertEqual(run.code, 0)
        self.assertRegex(run.stdout, r"^outcrop \d+\.\d+\.\d+\n$")

    def test_help_marks_what_is_not_built_yet(self):
        text = outcrop("invert-network", "--help").stdout
        for flag, *_ in NOT_BUILT:
            if flag.startswith("--"):
                self.assertIn(flag, text)


class Flags(SceneTest):
    def setUp(self):
        super().setUp()
        self.write_signal()
        files = {"run.cfg": "mintpy.networkInversion.weightFunc = auto\n", "run.toml": "[run]\nthreads = 1\n"}
        for name, text in files.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)

    def test_every_promised_flag_parses(self):
        for flags in HARMLESS:
            with self.subTest(flags):
                self.assert_signal(self.invert_well(*flags), (0, 1))

    def test_progress_styles_parse(self):
        for style in ("auto", "plain", "none"):
            run = outcrop("invert-network", STACK, "--progress", style, cwd=self.folder)
            self.assertEqual(run.code, 0, run.stderr)

    def test_skip_reference_takes_the_phases_as_they_are(self):
        for flag in ("--skip-reference", "--skip-ref"):
            samples = mp.interferograms(mp.history(1, 3), constants=[0] * 7)
            mp.write_stack(self.stack, samples, attributes={"REF_Y": None, "REF_X": None})
            products = self.invert_well(flag)
            self.assert_signal(products, (0, 1))
            self.assert_empty(products, (0, 0))

    def test_what_is_not_built_is_refused_with_one_sentence(self):
        for flags in NOT_BUILT:
            with self.subTest(flags):
                run = self.invert(*flags)
                self.assert_refused(run, "not built yet")
                sentences = [line for line in run.stderr.splitlines() if line.strip() and " info " not in line]
                self.assertEqual(len(sentences), 1, run.stderr)

    def test_devices_that_are_not_there_are_refused(self):
        for device in ("cuda", "cuda:0"):
            with self.subTest(device):
                self.assert_refused(self.invert("--device", device), device)

    def test_unknown_flags_values_and_commands_are_refused(self):
        for arguments in (["invert-network", STACK, "--nonsense"], ["invert-network", STACK, "--mask"],
                          ["invert-network", STACK, "--threads", "many"], ["invert-network", STACK, "--memory", "much"],
                          ["invert-network", STACK, "--threads", "0"], ["invert-network", STACK, "--device", "abacus"],
                          ["invert-network", STACK, "another"], ["invert"], []):
            with self.subTest(arguments):
                self.assert_refused(outcrop(*arguments, cwd=self.folder))

    def test_an_unknown_key_of_the_configuration_is_refused_with_the_nearest(self):
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write("[tiles]\nrow = 3\n")
        self.assert_refused(self.invert("--config", "run.toml"), "tiles.rows")

    def test_quiet_prints_no_line_on_stderr(self):
        self.write_signal(40, 50)
        self.assertEqual(self.invert_well("-q").run.stderr, "")

    def test_the_first_log_line_tells_version_host_and_command(self):
        first = self.invert_well("--threads", "1").run.stderr.splitlines()[0]
        self.assertIn("outcrop", first)
        self.assertIn(os.uname().nodename, first)
        self.assertIn("--threads 1", first)


class PlanAndReport(SceneTest):
    def test_a_plan_is_printed_and_nothing_is_written(self):
        self.write_signal(30, 40)
        text = self.invert("--plan")
        self.assertEqual(text.code, 0, text.stderr)
        self.assertIn("avgSpatialCoh.h5", text.stdout + text.stderr)
        self.assertEqual(self.entries(), ["inputs"])
        plan = json.loads(self.invert("--plan=json", "--memory", "300M").stdout)
        self.assertEqual(plan["memory_cap_bytes"], 300 * 2**20)
        self.assertEqual(plan["pixels"]["total"], 1200)
        for key in ("tiles", "device", "bytes", "predicted"):
            self.assertIn(key, plan)
        self.assertEqual(plan["bytes"]["needed"], 2 * 7 * 1200 * 4)
        self.assertEqual(self.entries(), ["inputs"])

    def test_a_report_has_the_promised_keys(self):
        samples = mp.interferograms(mp.history(30, 40))
        samples[:, 3] = 0
        mp.write_stack(self.stack, samples)
        self.invert_well("--report", "run.json", "--trace", "trace.json")
        with open(self.path("run.json"), encoding="utf-8") as file:
            report = json.load(file)
        for key in ("outcrop", "command", "step", "exit", "wall_s", "start_s", "peak_rss_bytes", "memory_cap_bytes",
                    "pixels", "deviations", "bytes", "stages", "device", "tiles", "predicted", "bottleneck"):
            self.assertIn(key, report)
        self.assertEqual(set(report["pixels"]),
                         {"total", "solved", "masked", "no_data", "min_norm", "too_few", "bad_geometry"})
        self.assertEqual(report["pixels"]["total"], 1200)
        self.assertEqual(report["pixels"]["no_data"], 40)
        self.assertEqual((report["exit"], report["step"]), (0, "invert-network"))
        self.assertLess(report["bytes"]["read"], 1.2 * report["bytes"]["needed"] + 4096)
        for stage in ("read", "decode", "solve", "write"):
            self.assertLessEqual({"busy_s", "cpu_s", "elapsed_s", "bytes"}, set(report["stages"][stage]), stage)
        with open(self.path("trace.json"), encoding="utf-8") as file:
            self.assertTrue(json.load(file))

    def test_uncompressed_input_is_planned_without_reading_twice(self):
        self.write_signal(3, 4)
        self.assertNotIn("read and decoded", self.invert("--plan").stderr)


if __name__ == "__main__":
    main()
