"""Tests of what a run may write to: reports and traces overwrite nothing, and a product is one run's at a time."""
import os

import mintpy_files as mp
from outcrop_run import STACK, SceneTest, finish, is_held, main, sha256, start, wait_until


class WrittenFiles(SceneTest):
    def setUp(self):
        super().setUp()
        self.write_signal()

    def refused(self, words, *arguments):
        before = {name: sha256(self.path(name)) for name in self.entries() if os.path.isfile(self.path(name))}
        run = self.invert(*arguments)
        self.assertEqual((run.code, run.stdout), (2, ""), run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        after = {name: sha256(self.path(name)) for name in self.entries() if os.path.isfile(self.path(name))}
        self.assertEqual(after, before)

    def test_reports_and_traces_overwrite_no_input(self):
        os.symlink(".", self.path("link"))
        stack = sha256(self.stack)
        for flag in ("--report", "--trace"):
            for name in (STACK, f"link/{STACK}", os.path.abspath(self.stack)):
                self.refused((flag, "overwrite the input"), flag, name)
        self.assertEqual(sha256(self.stack), stack)
        with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
            file.write("mintpy.networkInversion.weightFunc = no\n")
        self.refused(("--report", "template"), "-t", "run.cfg", "--report", "run.cfg")

    def test_reports_and_traces_overwrite_no_product_and_not_each_other(self):
        self.refused(("--report", "product"), "--report", "timeseries.h5")
        self.refused(("--trace", "--report"), "--report", "a.json", "--trace", "./a.json")
        self.refused(("--report", "--quicklook"), "--quicklook", "maps", "--report", "maps/../maps/index.html")

    def test_places_where_no_report_can_be_are_refused_before_the_run(self):
        os.mkdir(self.path("folder"))
        for name in ("", "folder", "nowhere/run.json"):
            self.refused(("--report",), "--report", name)

    def test_a_report_that_cannot_be_written_after_all_is_a_failure_with_complete_products(self):
        run = self.invert("--report", "/dev/full")
        self.assertEqual(run.code, 1, run.stderr)
        self.assertIn("the products are complete", run.stderr)
        self.assertTrue(os.path.exists(self.path("timeseries.h5")))

    def test_a_report_can_go_to_standard_output(self):
        run = self.invert("--report", "/dev/stdout")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn('"peak_rss_bytes"', run.stdout)

    def test_two_products_are_not_one_file_by_whatever_name(self):
        os.symlink(".", self.path("link"))
        self.refused(("one file",), "-o", "ts.h5", "link/q.h5", "q.h5")
        os.mkdir(self.path("numInvIfgram.h5"))
        self.refused(("numInvIfgram.h5", "folder"))

    def test_another_run_that_writes_any_of_the_products_refuses_this_one(self):
        mp.write_stack(self.stack, mp.interferograms(mp.history(60, 50)))
        with open(self.path("slow.toml"), "w", encoding="utf-8") as file:
            file.write("[device]\nqueues = 1\n[sim]\nlaunch_latency = 0.2\n")
        first = start(["invert-network", STACK, "--device", "sim", "--config", "slow.toml", "--tile", "4x50",
                       "--progress", "none"], self.folder)
        lock = self.path(".outcrop/temporalCoherence.h5.lock")
        wait_until(lambda: is_held(lock) or first.poll() is not None, "the first run has its locks")
        run = self.invert("-o", "other.h5", "temporalCoherence.h5", "n.h5")
        ended = finish(first)
        self.assertEqual(run.code, 2, run.stderr)
        self.assertIn("another run", run.stderr)
        self.assertEqual(ended.code, 0, ended.stderr)
        self.assertFalse(os.path.exists(self.path("other.h5")))


if __name__ == "__main__":
    main()
