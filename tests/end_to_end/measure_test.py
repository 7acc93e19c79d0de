"""Tests of the command measure: a machine file that plans predict with, nothing left behind, and signals."""
import glob
import json
import os
import signal
import time
import unittest

from outcrop_run import SANITIZED, SceneTest, finish, main, outcrop, start, wait_until


TOO_SLOW = unittest.skipIf(SANITIZED == "thread", "the thread sanitizer takes minutes for the runs that are measured")


class MeasureTest(SceneTest):
    def left(self):
        return [name for name in self.entries() if name.startswith("outcrop-measure-")]

    def plan(self):
        self.write_signal(8, 9)
        with open(self.path("my.toml"), "w", encoding="utf-8") as file:
            file.write('[machine]\nfile = "machine.toml"\n')
        run = self.invert("--config", "my.toml", "--plan=json")
        self.assertEqual(run.code, 0, run.stderr)
        return json.loads(run.stdout)


class Measuring(MeasureTest):
    @TOO_SLOW
    def test_the_file_is_one_that_plans_predict_with_and_nothing_else_is_left(self):
        run = outcrop("measure", "--quick", "--cached", "--storage", self.folder, "-q", "-o", self.path("machine.toml"),
                      cwd=self.folder, timeout=120)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(run.stdout, self.path("machine.toml") + "\n")
        self.assertEqual(self.left(), [])
        with open(self.path("machine.toml"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count("\n[[kernel]]"), 4)
        self.assertIn("load average", text)
        predicted = self.plan()["predicted"]
        self.assertGreater(predicted["wall_s"], 0)
        self.assertEqual(set(predicted["stages"]), {"read", "decode", "solve", "write"})

    @TOO_SLOW
    def test_a_device_is_measured_and_predicted_with(self):
        run = outcrop("measure", "--quick", "--cached", "--device", "sim", "-q", "-o", self.path("machine.toml"),
                      cwd=self.folder, timeout=120)
        self.assertEqual(run.code, 0, run.stderr)
        with open(self.path("machine.toml"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual((text.count("\n[[device]]"), text.count("\n[[device.kernel]]")), (1, 6))
        for key in ("copy_in_bytes_per_s", "copy_out_bytes_per_s", "launch_s", "assemble_bytes_per_s", 'name = "sim"'):
            self.assertIn(key, text)
        self.assertEqual(self.plan()["device"]["name"], "cpu")
        with open(self.path("my.toml"), "a", encoding="utf-8") as file:
            file.write("[sim]\ncandidate = true\n")
        run = self.invert("--config", "my.toml", "--plan=json")
        self.assertRegex(json.loads(run.stdout)["device"]["reason"], "predicted .* s on the host, .* s on sim")

    @TOO_SLOW
    def test_without_a_name_the_file_goes_to_standard_output(self):
        run = outcrop("measure", "--quick", cwd=self.folder, timeout=120)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn("[rates]", run.stdout)
        self.assertIn("measuring the storage", run.stderr)
        with open(self.path("machine.toml"), "w", encoding="utf-8") as file:
            file.write(run.stdout)
        self.assertGreater(self.plan()["predicted"]["wall_s"], 0)

    def test_what_a_run_on_its_scene_says_when_it_fails_is_passed_on(self):
        run = outcrop("measure", "--quick", "-q", "-o", self.path("machine.toml"), cwd=self.folder, timeout=120,
                      env={"OUTCROP_ISA": "none of these"})
        self.assertEqual(run.code, 1, run.stderr)
        self.assertRegex(run.stderr, "`outcrop invert-network .*` on a simulated scene in .* ended with exit code 2; "
                         "it said: .*OUTCROP_ISA asks for the instruction set 'none of these'")
        self.assertEqual(self.left(), [])

    def test_a_signal_stops_it_tidily(self):
        process = start(["measure", "-o", "machine.toml"], self.folder)
        wait_until(self.left, "something is measured")
        self.stop(process)

    def test_a_signal_to_it_alone_stops_the_run_it_waits_for_too(self):
        process = start(["measure", "--quick", "-o", "machine.toml"], self.folder)
        wait_until(lambda: glob.glob(self.path("outcrop-measure-*", "*", "messages.txt")), "a run is measured")
        self.stop(process)

    def stop(self, process):
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        run = finish(process)
        self.assertEqual(run.code, 130, run.stderr)
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(self.left(), [])
        self.assertFalse(os.path.exists(self.path("machine.toml")))


class Feedback(MeasureTest):
    def test_reports_correct_the_rates_that_predicted_them_once(self):
        self.write_signal(600, 400, storage={"chunks": (4, 50, 50), "compression": "gzip"})
        self.invert_well("--report", "run.json")
        run = outcrop("measure", "--report", "run.json", "-o", "machine.toml", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(run.stdout, "machine.toml\n")
        self.assertRegex(run.stderr, r"decode_gzip_bytes_per_s is \S+, not \S+: decode took \S+ times as long as predicted")
        with open(self.path("my.toml"), "w", encoding="utf-8") as file:
            file.write('[machine]\nfile = "machine.toml"\n')
        self.assertEqual(self.invert("--config", "my.toml", "--plan").code, 0)
        again = outcrop("measure", "--report", "run.json", "--machine", "machine.toml", cwd=self.folder)
        self.assertEqual((again.code, again.stdout), (2, ""), again.stderr)
        self.assertIn("predicted with other rates", again.stderr)

    def test_what_is_no_report_is_refused(self):
        with open(self.path("run.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        for arguments, words in [(["--report", "absent.json"], "absent.json"), (["--report", "run.json"], "did not end well"),
                                 (["--machine", "m.toml"], "--machine goes with --report")]:
            with self.subTest(arguments):
                self.assert_refused(outcrop("measure", *arguments, cwd=self.folder), words)


class Refusals(MeasureTest):
    def test_folders_that_are_not_there_are_refused_at_once(self):
        for arguments, words in [(["--storage", "absent"], "absent"), (["-o", "absent/m.toml"], "absent/m.toml"),
                                 (["--threads", "many"], "threads"), (["--device", "gpu"], "--device gpu"),
                                 (["--device", "cpu"], "--device cpu: no device has that name; give cuda, cuda:N with N"),
                                 (["--device", "cuda:77"], "--device cuda:77"), (["--fast"], "--fast")]:
            with self.subTest(arguments):
                self.assert_refused(outcrop("measure", *arguments, cwd=self.folder), words)

    def test_help_shows_examples(self):
        self.assertIn("Examples:", outcrop("measure", "--help").stdout)


if __name__ == "__main__":
    main()
