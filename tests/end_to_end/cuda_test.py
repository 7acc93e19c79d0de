"""Tests of --device cuda, its module over stand-ins for CUDA's libraries: the host's answer, no call out of place, and
what a user hears when there is no device, a wrong one, or one that is full."""
import json
import os

import numpy as np

import golden_test
import mintpy_files as mp
import same_bits_test
import solver_test
from outcrop_run import SceneTest, main
from stand_in_run import CUDA, StandIn, need_stand_in
from then_run import DATES, GEOMETRY, ThenTest

MIB = 1 << 20


class GoldenOnCuda(StandIn, golden_test.Golden):
    def run_case(self, case, *more):
        super().run_case(case, *CUDA, *more)
        self.check_use()


class SameBitsOnCuda(StandIn, same_bits_test.SameBits):
    def invert_well(self, *arguments, **options):
        products = super().invert_well(*arguments, *CUDA, **options)
        self.check_use()
        return products

    def test_for_any_memory(self):
        for memory in ("700M", "4G"):
            self.assert_same("--memory", memory)


class Batches(StandIn, SceneTest):
    def hashes(self, *arguments):
        self.invert_well(*CUDA, "--solver", "batched", *arguments)
        self.check_use()
        return self.product_hashes()

    def test_who_assembles_and_how_many_pixels_at_once_changes_no_bit(self):
        mp.write_stack(self.stack, solver_test.ragged_samples(), coherence=0.6)
        host = self.invert_well()
        first = self.hashes()
        device = mp.Products(self.folder)
        np.testing.assert_array_equal(device.count, host.count)
        solver_test.assert_close(device.series, host.series)
        solver_test.assert_close(device.coherence, host.coherence)
        for assembly in ("device", "host"):
            for batch in (5, 200):
                with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                    file.write(f'[device]\nassembly = "{assembly}"\nbatch = {batch}\n')
                self.assertEqual(self.hashes("--config", "batched.toml", "--tile", "9x23"), first)
                self.plan(delay_us=500)
                self.assertEqual(self.hashes("--config", "batched.toml", "--tile", "9x23"), first)
                self.plan()


class BothSteps(StandIn, ThenTest):
    def test_one_pass_gives_the_bits_of_two_runs(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        for options in ({"holes": True}, {"bperp": True}):
            for solver in ("structured", "batched"):
                self.write_geometry(**options)
                self.assert_same(["--calc-cov"], ["-g", GEOMETRY], [*CUDA, "--tile", "5x7", "--solver", solver],
                                 ["timeseriesDecorCov.h5"])
                self.check_use()


class OnCuda(StandIn, SceneTest):
    def setUp(self):
        super().setUp()
        self.write_signal(32, 60, growth=0.001)

    def run_on_cuda(self, *arguments, device="cuda"):
        return self.invert("--tile", "7x60", "--device", device, "--report", "run.json", *arguments)

    def report(self):
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)

    def first_products(self):
        self.assertEqual(self.run_on_cuda().code, 0)
        self.check_use()
        return self.product_hashes()


class WhichDevice(OnCuda):
    def assert_no_device(self, words, device="cuda", **plan):
        self.plan(**plan)
        run = self.run_on_cuda(device=device)
        self.assert_refused(run, f"--device {device}: ", *words, "--device cpu runs on the host")
        return self.check_use()

    def test_without_a_usable_device_the_run_ends_with_the_versions(self):
        for plan in ({"count_error": 100}, {"count_error": 35, "driver": 12040}, {"count_error": 35, "driver": 0}):
            with self.subTest(plan):
                driver = {12040: "the driver is for CUDA 12.4", 0: "no NVIDIA driver is loaded"}
                words = [driver.get(plan.get("driver"), "the driver is for CUDA 13.0"), "built with CUDA 13.0"]
                log = self.assert_no_device(words, **plan)
                self.assertNotIn("cudaSetDevice", log.calls)

    def test_a_device_for_which_nothing_was_compiled_is_refused_before_anything_is_read(self):
        log = self.assert_no_device(["device 0 (stand-in 0, compute capability 9.0) cannot run the kernels"],
                                    has_kernels=0)
        self.assertNotIn("cudaMalloc", log.calls)

    def test_a_number_without_a_device_is_refused(self):
        self.assert_no_device(["there is no device 1: the driver shows 1, counted from 0"], device="cuda:1")

    def test_calls_are_for_the_device_that_was_asked_for(self):
        self.plan(devices=3)
        self.assertEqual(self.run_on_cuda("--solver", "batched", device="cuda:2").code, 0)
        self.assertEqual(self.report()["device"]["name"], "cuda:2 stand-in 2")
        self.check_use()

    def test_the_host_and_an_automatic_choice_without_a_driver_do_not_touch_cuda(self):
        for device in ("cpu", "auto"):
            self.assertEqual(self.run_on_cuda(device=device).code, 0)
            self.assertFalse(os.path.exists(self.log_path))
            self.assertEqual(self.report()["device"]["name"], "cpu")


class Memory(OnCuda):
    def assert_the_answer(self, first, host, **plan):
        """Gives what was said of the device: that the host runs, or of slots, and of working memory."""
        self.plan(**plan)
        run = self.run_on_cuda()
        self.assertEqual(run.code, 0, run.stderr)
        self.check_use()
        on_host = self.report()["device"]["name"] == "cpu"
        self.assertEqual(self.product_hashes(), host if on_host else first)
        warnings = self.warnings(run)
        self.assertLessEqual(len(warnings), 1 if on_host else 2, run.stderr)
        return warnings

    def hashes(self):
        host = self.run_on_cuda(device="cpu")
        self.assertEqual(host.code, 0, host.stderr)
        return self.product_hashes()

    def test_a_device_of_any_size_gives_the_answer_and_says_what_it_lacks(self):
        first, host = self.first_products(), self.hashes()
        sizes = (0, 1000, *range(MIB // 8, 2 * MIB, MIB // 8), 1 << 30)
        said = [self.assert_the_answer(first, host, memory=size) for size in sizes]
        self.assertIn("running on the host instead of --device cuda: cuda:0 stand-in 0 has 0 B", said[0][0])
        self.assertTrue(any("tiles in flight instead of" in warning for warnings in said for warning in warnings))
        self.assertEqual(said[-1], [])

    def test_memory_that_another_program_takes_after_the_plan_is_done_without(self):
        first, host = self.first_products(), self.hashes()
        said = [self.assert_the_answer(first, host, memory=4 * MIB, taken_later=4 * MIB - left)
                for left in range(0, 2 * MIB, MIB // 16)]
        self.assertIn("running on the cpu instead of cuda:0", said[0][0])
        for words in ("tiles in flight instead of", "pixels at once instead of"):
            self.assertTrue(any(words in warning for warnings in said for warning in warnings), said)

    def test_a_device_too_full_to_start_leaves_the_run_to_the_host(self):
        first, host = self.first_products(), self.hashes()
        for call in range(2, 20):
            warnings = self.assert_the_answer(first, host, call=call, error=2)
            if self.report()["device"]["name"] == "cpu":
                self.assertIn("running on the host instead of --device cuda: ", warnings[0])

    def test_without_pinned_memory_the_bits_are_the_same_however_slow_the_device(self):
        first, host = self.first_products(), self.hashes()
        for plan in ({"pinned": 0}, {"pinned": MIB // 4}, {"delay_us": 300}, {"pinned": 0, "delay_us": 300}):
            for _ in range(3):
                said = " ".join(self.assert_the_answer(first, host, **plan))
                self.assertEqual("slots are in pageable memory" in said, "pinned" in plan)


class ManyTiles(StandIn, SceneTest):
    def test_a_thousand_small_tiles_carry_their_own_numbers_on_three_queues(self):
        self.write_signal(1000, 3, growth=1e-4)
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write("[device]\nqueues = 3\n[tiles]\nslots = 5\n")
        host = self.invert_well("--tile", "1x3")
        for solver in ("structured", "batched"):
            for plan in ({}, {"pinned": 0}, {"delay_us": 50}):
                self.plan(**plan)
                device = self.invert_well("--tile", "1x3", "--config", "run.toml", "--solver", solver, *CUDA)
                self.check_use()
                np.testing.assert_allclose(device.series, host.series, rtol=0, atol=1e-6 * np.max(host.series))
                np.testing.assert_array_equal(device.count, host.count)

    def test_fifty_repeats_of_slow_work_from_pageable_memory_on_three_queues_are_identical(self):
        # Such memory is copied from before or after the call returns, and slots are filled anew in the meantime.
        self.write_signal(60, 3, growth=1e-3)
        with open(self.path("run.toml"), "w", encoding="utf-8") as file:
            file.write("[device]\nqueues = 3\n[tiles]\nslots = 5\n")
        host = self.invert_well("--tile", "1x3")
        first = None
        self.plan(pinned=0, delay_us=50)
        for repeat in range(50):
            device = self.invert_well("--tile", "1x3", "--config", "run.toml", *CUDA)
            self.check_use()
            if first is None:
                np.testing.assert_allclose(device.series, host.series, rtol=0, atol=1e-6 * np.max(host.series))
                first = self.product_hashes()
            self.assertEqual(self.product_hashes(), first, f"repeat {repeat}")


if __name__ == "__main__":
    need_stand_in()
    main()
