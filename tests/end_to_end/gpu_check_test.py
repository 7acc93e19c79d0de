"""Tests of tools/gpu-check on the simulated device: what it finds, and that a record is left whatever happens."""
import json
import os
import signal
import subprocess
import sys
import time

from outcrop_run import PROGRAM, SceneTest, main

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class GpuCheck(SceneTest):
    def start(self, *flags, program=PROGRAM):
        command = [sys.executable, "-B", os.path.join(TOP, "tools", "gpu-check"), "--quick", "--device", "sim",
                   "--program", program, "-o", self.path("check.json"), *flags]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finish(self, process):
        output, _ = process.communicate(timeout=200)
        with open(self.path("check.json"), encoding="utf-8") as file:
            return process.returncode, json.load(file), output

    def test_it_compares_and_measures_both_steps_with_each_solver_and_assembly(self):
        code, found, output = self.finish(self.start("--reports", "reports"))
        self.assertEqual((code, found["problems"]), (0, []), output)
        self.assertGreater(found["compared"], 30)
        kinds = {(s["step"], s["solver"], s["assembly"]) for s in found["samples"] if s["device"] == "sim"}
        self.assertEqual(kinds, {(step, solver, assembly) for step in ("invert-network", "correct-topography")
                                 for solver, assembly in (("structured", "none"), ("batched", "device"),
                                                          ("batched", "host"))})
        for sample in found["samples"]:
            self.assertGreater(sample["us_per_pixel"], 0)
            if sample["device"] == "sim":
                self.assertGreater(min(sample["bytes_per_s"]["copy_in"], sample["bytes_per_s"]["copy_out"]), 0)
        self.assertEqual(len(os.listdir(self.path("reports"))), len(found["reports"]) + 1)  # and the machine file

    def test_a_program_that_crashes_is_a_problem_in_the_record(self):
        crashing = self.path("crashing")
        with open(crashing, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\n[ "$1" = simulate ] || [ "$1" = --version ] || kill -SEGV $$\n'
                       f'exec {PROGRAM} "$@"\n')
        os.chmod(crashing, 0o755)
        code, found, _ = self.finish(self.start(program=crashing))
        self.assertEqual(code, 1)
        self.assertIn("signal 11", found["problems"][0])

    def test_a_check_that_is_stopped_leaves_what_it_had_found(self):
        process = self.start()
        limit = time.monotonic() + 60
        while "spoilt" not in process.stdout.readline() and time.monotonic() < limit:
            pass
        process.send_signal(signal.SIGTERM)
        code, found, _ = self.finish(process)
        self.assertEqual(code, 1)
        self.assertIn("stopped by signal 15", found["problems"][0])
        self.assertFalse(found["finished"])

    def test_what_finds_no_time_is_named(self):
        code, found, _ = self.finish(self.start("--seconds", "3"))
        self.assertEqual(code, 0 if found["compared"] else 1)
        self.assertTrue(found["left_out"])


if __name__ == "__main__":
    main()
