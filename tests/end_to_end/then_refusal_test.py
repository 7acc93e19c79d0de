"""Tests of both steps in one pass: what is up to date, what is refused, and what a failure leaves."""
import os
import shutil
import unittest

import h5py

import mintpy_files as mp
from outcrop_run import STACK, finish, is_held, main, outcrop, sha256, start, stop_in_the_middle, wait_until
from then_run import ATTRIBUTES, COLS, DATES, FIRST, GEOMETRY, PAIRS, ROWS, SECOND, ThenTest, samples


class Update(ThenTest):
    def setUp(self):
        super().setUp()
        self.write()
        self.write_geometry()
        self.then = ["--then", "correct-topography", "-g", GEOMETRY]

    def update(self, *arguments):
        run = outcrop(*arguments, "--update", "--progress", "none", cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        return "skip" if "update: skip" in run.stderr else run.stderr

    def test_products_of_one_pass_are_up_to_date_for_it_and_for_each_step(self):
        self.run_well("invert-network", STACK, *self.then)
        self.assertEqual(self.update("invert-network", STACK, *self.then), "skip")
        self.assertEqual(self.update("invert-network", STACK), "skip")
        self.assertEqual(self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY), "skip")

    def test_products_of_two_runs_are_up_to_date_for_one_pass(self):
        self.run_well("invert-network", STACK)
        self.run_well("correct-topography", "timeseries.h5", "-g", GEOMETRY)
        self.assertEqual(self.update("invert-network", STACK, *self.then), "skip")

    def test_a_change_for_either_step_is_a_reason(self):
        self.run_well("invert-network", STACK, *self.then)
        self.assertIn("polyOrder", self.update("invert-network", STACK, *self.then, "-p", "1"))
        self.assertIn("weightFunc", self.update("invert-network", STACK, "-w", "no", *self.then))
        self.run_well("invert-network", STACK, *self.then)
        os.remove(self.path("demErr.h5"))
        self.assertIn("demErr.h5", self.update("invert-network", STACK, *self.then))

    def test_a_series_that_was_touched_or_replaced_since_is_a_reason(self):
        self.run_well("invert-network", STACK, *self.then)
        # Times of files are as coarse as the system's clock tick: a touch at once could be of the same time.
        later = os.path.getmtime(self.path("timeseries_demErr.h5")) + 1
        os.utime(self.path("timeseries.h5"), (later, later))
        self.assertIn("series", self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY))
        self.run_well("invert-network", STACK, *self.then)
        self.run_well("invert-network", STACK, "-w", "no")
        self.assertIn("update: run", self.update("correct-topography", "timeseries.h5", "-g", GEOMETRY))


class Refusals(ThenTest):
    def setUp(self):
        super().setUp()
        self.write()
        self.write_geometry()

    def refused(self, words, *arguments, stack=STACK):
        run = outcrop("invert-network", stack, "--progress", "none", *arguments, cwd=self.folder)
        self.assertEqual((run.code, run.stdout), (2, ""), run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual([n for n in self.entries() if n in FIRST + SECOND], [])
        self.assert_nothing_unfinished()

    def template(self, text):
        with open(self.path("run.cfg"), "w", encoding="utf-8") as file:
            file.write(text)
        return ["-t", "run.cfg"]

    def test_a_template_that_turns_on_a_correction_between_the_steps(self):
        for key, value, shown in (("mintpy.solidEarthTides", "yes", "True"),
                                  ("mintpy.ionosphericDelay.method", "split_spectrum", "split_spectrum"),
                                  ("mintpy.troposphericDelay.method", "height_correlation", "height_correlation"),
                                  ("mintpy.troposphericDelay.method", "auto", "pyaps"),
                                  ("mintpy.deramp", "linear", "linear")):
            with self.subTest(key=key, value=value):
                template = self.template(f"{key} = {value}\n")
                self.refused((key, shown, "--then-anyway", "run.cfg"), *template, "--then", "correct-topography")
        self.refused(("mintpy.deramp",), "--then", "correct-topography", *template)
        run = self.run_well("invert-network", STACK, *template, "--then", "correct-topography", "--then-anyway")
        self.assertIn("mintpy.deramp = linear", run.stderr)
        self.assertEqual(sorted(n for n in self.entries() if n.endswith(".h5")), sorted(FIRST + SECOND))

    def test_corrections_that_are_off_are_no_reason(self):
        template = self.template("mintpy.troposphericDelay.method = no\nmintpy.deramp = auto\n"
                                 "mintpy.solidEarthTides = auto\nmintpy.ionosphericDelay.method = none\n")
        self.run_well("invert-network", STACK, *template, "--then", "correct-topography")

    def test_steps_that_cannot_follow(self):
        for arguments in (["--then"], ["--then", "info"], ["--then=invert-network"], ["correct-topography"]):
            with self.subTest(arguments):
                self.refused(("correct-topography",), *arguments)

    def test_options_of_one_step_given_to_the_other_and_options_given_twice(self):
        self.refused(("-w",), "--then", "correct-topography", "-w", "no")
        self.refused(("poly-order",), "--poly-order", "1", "--then", "correct-topography")
        self.refused(("--memory", "--then"), "--memory", "1G", "--then", "correct-topography", "--memory", "2G")
        self.refused(("ambiguous",), "--then", "correct-topography", "--re", "no")

    def test_observations_that_do_not_depend_on_the_elevation_model(self):
        mp.write_stack(self.stack, samples(), PAIRS, DATES, attributes=ATTRIBUTES,
                       more={"azimuthOffset": samples(), "azimuthOffsetStd": samples()})
        self.refused(("azimuthOffset", "--then"), "-i", "azimuthOffset", "--then", "correct-topography")
        shutil.copy(self.stack, self.path("inputs/ionStack.h5"))
        self.refused(("ionStack.h5", "--then"), "--then", "correct-topography", stack="inputs/ionStack.h5")

    def test_products_that_would_replace_each_other_or_the_inputs(self):
        then = ["--then", "correct-topography", "-g", GEOMETRY]
        self.refused(("timeseries.h5",), *then, "-o", "timeseries.h5")
        self.refused(("temporalCoherence.h5",), *then, "--dem-err-file", "./temporalCoherence.h5")
        self.refused((STACK,), *then, "--residual-file", STACK)
        self.refused((GEOMETRY,), "-o", "a.h5", "b.h5", GEOMETRY, *then)
        self.refused(("temporalCoherence.h5",), "-o", "a.h5", "b.h5", "temporalCoherence.h5", *then)

    def test_what_correct_topography_itself_refuses(self):
        self.refused(("-p", "poly-order"), "--then", "correct-topography", "-p", "40")
        self.refused(("no.h5",), "--then", "correct-topography", "-g", "no.h5")
        mp.set_attributes(self.stack, STARTING_RANGE=None)
        self.refused(("STARTING_RANGE",), "--then", "correct-topography")

    def test_a_second_run_on_either_series_at_the_same_time(self):
        # A device that is slow to launch: the other run cannot end before it is stopped.
        with open(self.path("slow.toml"), "w", encoding="utf-8") as file:
            file.write("[device]\nqueues = 1\n[sim]\nlaunch_latency = 0.1\n")
        lock = self.path(".outcrop", "timeseries_demErr.h5.lock")
        other = start(["correct-topography", self.series_elsewhere(), "-o", "timeseries_demErr.h5", "--tile", "2x29",
                       "--device", "sim", "--config", "slow.toml", "--progress", "none"], self.folder)
        try:
            wait_until(lambda: is_held(lock) or other.poll() is not None, "the other run has its lock")
            other.send_signal(19)  # SIGSTOP
            run = outcrop("invert-network", STACK, "--then", "correct-topography", cwd=self.folder)
            self.assertEqual(run.code, 2, run.stderr)
            self.assertIn("another run is writing timeseries_demErr.h5", run.stderr)
        finally:
            other.send_signal(18)
            finish(other)

    def series_elsewhere(self):
        os.makedirs(self.path("old"))
        self.run_well("invert-network", STACK, "--out-dir", "old")
        return "old/timeseries.h5"


class Failures(ThenTest):
    def run_all(self, *second):
        return outcrop("invert-network", STACK, "--progress", "none", "--tile", "8x29", "--then", "correct-topography",
                       "-g", GEOMETRY, *second, cwd=self.folder)

    def hashes(self):
        return [sha256(self.path(n)) for n in FIRST + SECOND]

    def assert_nothing_new(self):
        self.assertEqual([n for n in self.entries() if n in FIRST + SECOND], [])
        self.assert_nothing_unfinished()

    def test_an_implausible_angle_in_the_last_tile_leaves_no_product_of_either_step(self):
        self.write()
        self.write_geometry()
        with h5py.File(self.path(GEOMETRY), "r+") as file:
            file["incidenceAngle"][ROWS - 1, 3] = 200
        run = self.run_all()
        self.assertEqual(run.code, 1, run.stderr)
        self.assertIn("incidenceAngle", run.stderr)
        self.assert_nothing_new()
        self.assertEqual(self.run_all("--accept-geometry").code, 0)

    def test_a_damaged_chunk_of_the_geometry_leaves_older_products_of_both_steps_as_they_were(self):
        self.write()
        self.write_geometry(storage={"chunks": (1, 8, COLS), "compression": "gzip"})
        self.assertEqual(self.run_all().code, 0)
        before = self.hashes()
        with h5py.File(self.path(GEOMETRY)) as file:
            info = file["slantRangeDistance"].id.get_chunk_info_by_coord((16, 0))
        with open(self.path(GEOMETRY), "r+b") as raw:
            raw.seek(info.byte_offset)
            raw.write(b"\xff" * info.size)
        self.assertEqual(self.run_all().code, 1)
        self.assertEqual(self.hashes(), before)
        self.assert_nothing_unfinished()

    def test_a_stopped_run_leaves_no_product_of_either_step(self):
        self.write()
        self.write_geometry()
        process = start(["invert-network", STACK, "--tile", "1x1", "--threads", "1", "--progress", "none", "--then",
                         "correct-topography", "-g", GEOMETRY], self.folder)
        stop_in_the_middle(process, self.folder, 15)
        self.assertEqual(finish(process).code, 130)
        self.assert_nothing_new()


class Help(unittest.TestCase):
    def test_it_shows_an_example_and_the_options_of_the_second_step(self):
        text = outcrop("invert-network", "--help").stdout
        self.assertIn("--then correct-topography -g", text)
        self.assertNotIn("SUBCOMMAND", text)
        text = outcrop("invert-network", STACK, "--then", "correct-topography", "--help").stdout
        self.assertIn("--poly-order", text)
        self.assertIn("--then correct-topography", text)
        self.assertNotIn("--weight-func", text)


if __name__ == "__main__":
    main()
