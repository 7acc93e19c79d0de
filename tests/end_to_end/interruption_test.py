"""Tests of runs that end before their time: signals, full or unwritable folders, damage met in the middle."""
import json
import os
import resource
import signal
import subprocess
import unittest

import h5py
import numpy as np

import mintpy_files as mp
from outcrop_run import PROGRAM, STACK, SceneTest, environment, finish, main, outcrop, start, stop_in_the_middle

SLOW = ("--threads", "1", "--tile", "1x1", "--progress", "none")


class Signals(SceneTest):
    def stop(self, number, *arguments):
        process = start(["invert-network", STACK, *SLOW, *arguments], self.folder)
        stop_in_the_middle(process, self.folder, number)
        return finish(process, timeout=30)

    def test_a_stopped_run_exits_130_and_leaves_nothing_behind(self):
        # Finished tiles will be kept for --resume; until then nothing may stay.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            with self.subTest(number.name):
                self.write_signal(40, 50)
                run = self.stop(number)
                self.assertEqual(run.code, 130, run.stderr)
                self.assertEqual(run.stdout, "")
                self.assert_nothing_written()

    def test_a_stopped_run_leaves_older_outputs_as_they_are(self):
        self.write_signal(40, 50)
        self.invert_well()
        before = self.product_hashes()
        self.assertEqual(self.stop(signal.SIGTERM, "-w", "no").code, 130)
        self.assertEqual(self.product_hashes(), before)
        self.assert_nothing_unfinished()

    def test_the_serial_runner_stops_as_tidily(self):
        self.write_signal(40, 50)
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write('[run]\nrunner = "serial"\n')
        self.assertEqual(self.stop(signal.SIGINT, "--config", "run.toml").code, 130)
        self.assert_nothing_written()

    def test_a_closed_pipe_for_the_results_is_no_crash(self):
        self.write_signal()
        read_end, write_end = os.pipe()
        os.close(read_end)
        try:
            run = finish(start_with_stdout(["invert-network", STACK, *SLOW], self.folder, write_end))
        finally:
            os.close(write_end)
        self.assertGreaterEqual(run.code, 0, run.stderr)


def start_with_stdout(arguments, cwd, stdout):
    return subprocess.Popen([PROGRAM, *arguments], cwd=cwd, env=environment(), stdout=stdout, stderr=subprocess.PIPE,
                            text=True)


class Failures(SceneTest):
    def with_older_outputs(self):
        self.write_signal(40, 50)
        self.invert_well()
        return self.product_hashes()

    def test_a_file_that_may_not_grow_ends_the_run_with_nothing_new(self):
        # The limit on file sizes stands in for a full disk.
        before = self.with_older_outputs()
        limit = os.path.getsize(self.path("timeseries.h5")) // 2

        def restrict():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        run = self.invert(preexec_fn=restrict, restore_signals=False)
        self.assertEqual(run.code, 1, run.stderr)
        self.assertIn("timeseries.h5", run.stderr)
        self.assertNotIn("HDF5-DIAG", run.stderr)
        self.assertEqual(self.product_hashes(), before)
        self.assert_nothing_unfinished()

    def test_a_limit_on_file_sizes_is_an_error_and_no_signal(self):
        before = self.with_older_outputs()
        limit = os.path.getsize(self.path("timeseries.h5")) // 2
        run = self.invert(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(run.code, 1, run.stderr)
        self.assertEqual(self.product_hashes(), before)
        self.assert_nothing_unfinished()

    def test_a_folder_that_is_no_folder_is_refused_with_its_name(self):
        self.write_signal()
        with open(self.path("occupied"), "w", encoding="utf-8"):
            pass
        for folder in ("occupied", "occupied/below"):
            with self.subTest(folder):
                self.assert_refused(self.invert("--out-dir", folder), "occupied")

    def test_a_folder_that_was_made_for_a_run_is_gone_when_the_run_fails(self):
        self.write_signal(3, 4)
        samples = mp.interferograms(mp.history(3, 4))
        samples[:, 0, 0] = np.nan  # the reference pixel, seen only when the run has begun
        mp.write_stack(self.stack, samples)
        self.assert_refused(self.invert("--out-dir", "absent/below"), "reference pixel")
        self.assertEqual(self.entries(), ["inputs"])

    @unittest.skipIf(os.geteuid() == 0, "permissions do not bind the superuser")
    def test_a_folder_that_cannot_be_written_is_refused_with_its_name(self):
        self.write_signal()
        os.mkdir(self.path("closed"), 0o555)
        self.assert_refused(self.invert("--out-dir", "closed"), "closed", codes=(1, 2))
        self.assert_nothing_written(self.path("closed"))

    def test_a_missing_stack_is_refused_with_its_name(self):
        self.assert_refused(self.invert(), STACK)

    def test_a_chunk_damaged_in_the_middle_ends_the_run_with_nothing_new(self):
        before = self.with_older_outputs()
        samples = mp.interferograms(mp.history(40, 50))
        mp.write_stack(self.stack, samples, storage={"chunks": (7, 8, 50), "compression": "gzip"})
        with h5py.File(self.stack) as file:
            info = file["unwrapPhase"].id.get_chunk_info_by_coord((0, 16, 0))
        with open(self.stack, "r+b") as raw:
            raw.seek(info.byte_offset)
            raw.write(b"\xff" * info.size)
        for runner in ("graph", "serial"):
            with self.subTest(runner):
                with open(self.path("run.toml"), "w", encoding="utf-8") as file:
                    file.write(f'[run]\nrunner = "{runner}"\n')
                run = self.invert("--config", "run.toml", "--tile", "8x50")
                self.assertEqual(run.code, 1, run.stderr)
                self.assertIn("unwrapPhase", run.stderr)
                self.assertEqual(self.product_hashes(), before)
                self.assert_nothing_unfinished()

    def test_a_report_of_a_failed_run_says_so(self):
        self.write_signal(3, 4, more={"coherence": np.full((7, 3, 4), 204, "u1")})
        self.assertEqual(self.invert("--report", "run.json").code, 1)
        with open(self.path("run.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["exit"], 1)

    def test_another_command_line_fault_never_starts_a_run(self):
        run = outcrop("invert-network", cwd=self.folder)
        self.assertEqual(run.code, 2, run.stderr)


if __name__ == "__main__":
    main()
