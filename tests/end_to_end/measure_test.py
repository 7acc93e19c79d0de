"""Tests of the command measure: a machine file that plans predict with, nothing left behind, and signals."""
import json
import os
import signal
import time

from outcrop_run import SceneTest, finish, main, outcrop, start, wait_until


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

    def test_without_a_name_the_file_goes_to_standard_output(self):
        run = outcrop("measure", "--quick", cwd=self.folder, timeout=120)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn("[rates]", run.stdout)
        self.assertIn("measuring the storage", run.stderr)
        with open(self.path("machine.toml"), "w", encoding="utf-8") as file:
            file.write(run.stdout)
        self.assertGreater(self.plan()["predicted"]["wall_s"], 0)

    def test_a_signal_stops_it_tidily(self):
        process = start(["measure", "-o", "machine.toml"], self.folder)
        wait_until(self.left, "something is measured")
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        run = finish(process)
        self.assertEqual(run.code, 130, run.stderr)
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(self.left(), [])
        self.assertFalse(os.path.exists(self.path("machine.toml")))


class Refusals(MeasureTest):
    def test_folders_that_are_not_there_are_refused_at_once(self):
        for arguments, words in [(["--storage", "absent"], "absent"), (["-o", "absent/m.toml"], "absent/m.toml"),
                                 (["--threads", "many"], "threads"), (["--fast"], "--fast")]:
            with self.subTest(arguments):
                self.assert_refused(outcrop("measure", *arguments, cwd=self.folder), words)

    def test_help_shows_examples(self):
        self.assertIn("Examples:", outcrop("measure", "--help").stdout)


if __name__ == "__main__":
    main()
