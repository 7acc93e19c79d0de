"""Tests that a run has no more threads than were asked for and the few that wait, whatever image and environment."""
import json
import os
import time

from outcrop_run import SANITIZED, STACK, SceneTest, finish, main, start

READERS, WRITERS, QUEUES, COMPLETION, SLOTS = 2, 1, 3, 1, 4
CONFIG = f"[storage]\nreaders = {READERS}\nwriters = {WRITERS}\n[device]\nqueues = {QUEUES}\n[tiles]\nslots = {SLOTS}\n"

# Threads that wait, not work: for storage and, where there is one, for the device, which has a thread for each queue.
# The thread sanitizer has one of its own.
OTHERS = READERS + WRITERS + (SANITIZED == "thread")
HELPERS = {"cpu": OTHERS, "sim": OTHERS + QUEUES + COMPLETION}


def num_threads(process):
    try:
        return len(os.listdir(f"/proc/{process.pid}/task"))
    except FileNotFoundError:
        return 0


class ThreadCount(SceneTest):
    # From MintPy issues 375 and 556, LiCSBAS2 issue 129: more workers than rows, and those of libraries beside them.

    ROWS, COLS = 20, 600

    def setUp(self):
        super().setUp()
        self.write_signal(self.ROWS, self.COLS, growth=1e-5)
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write(CONFIG)

    def run_counted(self, device, *arguments, env=None):
        """Gives the most threads that were seen at once, and the report."""
        process = start(["invert-network", STACK, "--progress", "none", "--config", "run.toml", "--tile",
                         f"1x{self.COLS}", "--device", device, "--report", "run.json", *arguments], self.folder, env)
        most = 0
        while process.poll() is None:
            most = max(most, num_threads(process))
            time.sleep(0.0002)
        run = finish(process)
        self.assertEqual(run.code, 0, run.stderr)
        with open(self.path("run.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["device"]["name"], device)
        return most, report

    def test_far_more_threads_than_rows_are_no_more_than_were_asked_for_and_give_the_same_bits(self):
        for device, helpers in HELPERS.items():
            self.run_counted(device, "--threads", 1)
            first = self.product_hashes()
            for changes in (None, {"OMP_NUM_THREADS": "8"}):
                with self.subTest(device=device, changes=changes):
                    most, report = self.run_counted(device, "--threads", 48, env=changes)
                    self.assertEqual(report["threads"], 48)
                    self.assertLessEqual(most, 48 + helpers)
                    self.assertGreater(most, helpers + 1)  # some of the 48 were seen
                    self.assertEqual(self.product_hashes(), first)

    def test_tiles_whose_design_matrices_the_host_forms_have_a_thread_each(self):
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write(CONFIG.replace("[device]", '[device]\nassembly = "host"'))
        for threads in (1, 3):
            most, report = self.run_counted("sim", "--threads", threads, "--solver", "batched")
            self.assertEqual(report["device"]["assembly"], "host")
            self.assertLessEqual(most, threads + HELPERS["sim"] + SLOTS + 1)

    def test_few_threads_are_few(self):
        for device, helpers in HELPERS.items():
            for threads in (1, 3):
                with self.subTest(device=device, threads=threads):
                    most, _ = self.run_counted(device, "--threads", threads, env={"OMP_NUM_THREADS": "8"})
                    self.assertLessEqual(most, threads + helpers)

    def test_variables_of_other_libraries_do_not_change_how_many_threads_work(self):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        for device in HELPERS:
            _, usual = self.run_counted(device)
            first = self.product_hashes()
            for value in ("1", "8"):
                _, report = self.run_counted(device, env=dict.fromkeys(names, value))
                self.assertEqual(report["threads"], usual["threads"])
                self.assertEqual(self.product_hashes(), first)


if __name__ == "__main__":
    main()
