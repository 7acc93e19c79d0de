"""Tests of a simulated device that fails, at the first, a middle and the last tile: its words and no product, or the
right products without what it lacks."""
import os

import mintpy_files as mp
import topography_files as tp
from device_run import SIM, DeviceRun, FailingDevice
from outcrop_run import STACK, main, outcrop
from then_run import ThenTest
from topography_run import TopographyTest


class Network(FailingDevice, DeviceRun):
    def check(self, solver, assembly, **calls):
        def run(sim, runner):
            ended = self.invert("--config", self.device_config(sim, runner, assembly), "--tile", self.TILE, "--solver",
                                solver, "--report", "run.json", *SIM)
            self.assertEqual(self.report()["exit"], ended.code)
            return ended

        self.check_every_fault(run, num_tiles=8, **calls)

    # Of a tile: two inputs, three outputs and findings of pixels and outcomes are copied; 256 pixels are four batches.

    def test_a_failing_device_ends_the_run_with_its_words_and_no_product(self):
        self.check("structured", "device", before=1, copies=1 + 8 * 7, kernels=8)

    def test_a_device_that_fails_in_its_batches_does_too_whoever_forms_the_design_matrices(self):
        # Tables and, for each queue, pointers come first; the host's design matrices are three copies a batch.
        self.check("batched", "device", before=4, copies=4 + 8 * 7, kernels=8 * 4 * 5)
        self.remove_products()
        self.check("batched", "host", before=4, copies=4 + 8 * (7 + 4 * 3), kernels=8 * 4 * 4)

    def remove_products(self):
        for name in mp.Products.NAMES:
            os.remove(self.path(name))

    def assert_same_products(self, run, *words):
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(len(self.warnings(run)), 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(self.product_hashes(), self.first)

    def test_what_the_device_lacks_is_made_up_for_and_said_once(self):
        self.assertEqual(self.sim().code, 0)
        self.first = self.product_hashes()
        self.assert_same_products(self.sim("fail_pinned = 1"), "pageable memory")
        self.assert_same_products(self.sim("fail_pinned = 3"), "pageable memory")
        self.assert_same_products(self.sim("fail_allocation = 2"), "1 tiles in flight instead of 6")
        self.assertEqual(self.report()["tiles"]["slots"], 1)

    def test_a_device_without_memory_leaves_the_run_to_the_host(self):
        host = self.invert_well("--device", "cpu")
        for sim in ("fail_allocation = 1", 'memory = "0.00001"', 'memory = "8K"'):
            with self.subTest(sim):
                run = self.sim(sim)
                self.assertEqual(run.code, 0, run.stderr)
                self.assertEqual(len(self.warnings(run)), 1, run.stderr)
                self.assertIn("running on the", self.warnings(run)[0])
                described = self.report()["device"]
                self.assertEqual((described["name"], described["queues"]), ("cpu", 1))
                self.assertIn("x86-64", described["instruction_set"])
                self.assert_same_values(host, mp.Products(self.folder))


class Topography(FailingDevice, TopographyTest):
    def check(self, solver, assembly, **calls):
        def run(sim, runner):
            config = self.device_config(sim, runner, assembly)
            return self.correct(*SIM, "--solver", solver, "--config", config, "--tile", "4x30")

        self.check_every_fault(run, num_tiles=6, **calls)
        for name in tp.PRODUCTS:
            os.remove(self.path(name))

    def test_a_failing_device_ends_the_run_with_no_product(self):
        # 120 pixels a tile, two batches.
        self.write(24, 30, tp.signal(24, 30))
        self.check("structured", "device", before=1, copies=1 + 6 * 8, kernels=6)
        self.check("batched", "device", before=4, copies=4 + 6 * 8, kernels=6 * 2 * 5)
        self.check("batched", "host", before=4, copies=4 + 6 * (8 + 2 * 3), kernels=6 * 2 * 4)


class BothSteps(FailingDevice, ThenTest):
    def check(self, solver, **calls):
        def run(sim, runner):
            config = self.device_config(sim, runner)
            self.before = self.entries()
            return outcrop("invert-network", STACK, *SIM, "--solver", solver, "--config", config, "--tile", "5x29",
                           "--then", "correct-topography", cwd=self.folder)

        self.check_every_fault(run, num_tiles=8, **calls)

    def assert_nothing_written(self, folder=None):
        self.assertEqual(self.entries(folder), self.before)

    def test_a_failing_device_leaves_no_product_of_either_step(self):
        self.write()
        self.check("structured", before=2, copies=2 + 8 * 11, kernels=8 * 3)

    def test_a_device_that_fails_in_its_batches_leaves_none_either(self):
        # Seven tiles of 145 pixels, one of 58; both steps have tables, pointers, inputs, outputs and findings.
        self.write()
        self.check("batched", before=8, copies=8 + 8 * 14, kernels=7 * 3 * 10 + 10)


if __name__ == "__main__":
    main()
