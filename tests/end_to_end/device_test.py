"""Tests of --device: the simulated device gives MintPy's answer and the host's, fails as planned, and overlaps."""
import json
import os
import signal
import time

import numpy as np

import golden_test
import golden_topography_test
import mintpy_files as mp
import same_bits_test
import solver_test
import topography_files as tp
from outcrop_run import SANITIZED, STACK, SceneTest, finish, main, outcrop, start, wait_until
from then_run import DATES, FIRST, GEOMETRY, SECOND, ThenTest
from topography_run import TopographyTest

SIM = ("--device", "sim")


class GoldenOnTheSimulatedDevice(golden_test.Golden):
    def run_case(self, case, *more):
        super().run_case(case, *SIM, *more)


class SameBitsOnTheSimulatedDevice(same_bits_test.SameBits):
    def invert_well(self, *arguments, **options):
        return super().invert_well(*arguments, *SIM, **options)

    def test_for_any_number_of_queues(self):
        for queues in (1, 2, 5):
            self.assert_same("--config", self.config(f"[device]\nqueues = {queues}\n[tiles]\nslots = 5\n"), "--tile", "7x9")


class Topography(TopographyTest):
    def test_baselines_of_the_date_and_of_the_pixel_give_the_hosts_answer(self):
        random = np.random.default_rng(5)
        rows, cols = 23, 17
        series = (tp.signal(rows, cols) + random.normal(0, 0.01, (12, rows, cols))).astype("f4")
        series[:, 3:5, 4] = 0
        series[4, 7] = np.nan
        bperp = tp.BPERP[:, None, None] + random.normal(0, 5, (12, rows, cols))
        for per_pixel in (False, True):
            self.write(rows, cols, series)
            tp.write_geometry(self.path(tp.GEOMETRY), rows, cols, bperp=bperp if per_pixel else None)
            host = self.correct_well("--tile", "5x17")
            device = self.correct_well("--tile", "5x17", *SIM)
            for name in tp.PRODUCTS:
                self.assertTrue(os.path.exists(self.path(name)))
            self.assertEqual(device.report["device"]["name"], "sim")
            self.assertEqual(device.report["pixels"], host.report["pixels"])
            for name in ("series", "residual", "dem"):
                a, b = getattr(host, name), getattr(device, name)
                np.testing.assert_allclose(b, a, rtol=0, atol=1e-6 * np.max(np.abs(a)), err_msg=name)


class BatchedNetwork(solver_test.Network):
    def invert_well(self, *arguments, **options):
        return super().invert_well(*arguments, *SIM, **options)

    def test_who_assembles_and_how_many_pixels_at_once_changes_no_bit(self):
        first = self.batched_hashes()
        for assembly in ("device", "host"):
            for batch in (5, 200):
                with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                    file.write(f'[device]\nassembly = "{assembly}"\nbatch = {batch}\n')
                self.assertEqual(self.batched_hashes("--config", "batched.toml", "--tile", "9x23"), first)

    def test_the_answer_is_that_of_the_structured_solver_on_the_host(self):
        for flags in ([], ["--min-norm-phase"], ["-w", "no"]):
            super().invert_well(*flags)
            host = mp.Products(self.folder)
            self.invert_well(*flags, "--solver", "batched")
            device = mp.Products(self.folder)
            np.testing.assert_array_equal(device.count, host.count)
            solver_test.assert_close(device.series, host.series)
            solver_test.assert_close(device.coherence, host.coherence)


class BatchedTopography(solver_test.Topography):
    """The products and counts of the structured solver on the host, whoever forms the design matrices."""

    def check(self, *arguments, **options):
        host = self.correct_well(*arguments, **options)
        for assembly in ("device", "host"):
            with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                file.write(f'[device]\nassembly = "{assembly}"\nbatch = 13\n')
            device = self.correct_well(*arguments, *SIM, "--solver", "batched", "--config", "batched.toml", **options)
            described = device.report["device"]
            self.assertEqual((described["name"], described["solver"], described["assembly"]),
                             ("sim", "batched", assembly))
            self.assertEqual(device.report["pixels"], host.report["pixels"])
            self.assertEqual(device.report["deviations"], host.report["deviations"])
            self.assertEqual("assemble" in device.report["stages"], assembly == "host")
            for name in ("dem", "series", "residual"):
                a, b = getattr(host, name), getattr(device, name)
                np.testing.assert_allclose(b, a, rtol=0, atol=1e-6 * max(np.max(np.abs(a)), 1e-3), err_msg=name)

    def test_the_plan_says_who_forms_how_many_design_matrices(self):
        self.write(2, 5, tp.signal(2, 5))
        plan = self.correct("--plan", *SIM, "--solver", "batched").stdout
        self.assertIn("batches of 64 pixels on a queue, design matrices formed by the device", plan)
        self.assertEqual(json.loads(self.correct("--plan=json", "--device", "cpu").stdout)["device"]["assembly"], "none")

    def test_a_failing_device_ends_the_run_with_no_product(self):
        self.write(24, 30, tp.signal(24, 30))
        for key in ("fail_copy", "fail_kernel", "fail_queue"):
            for assembly in ("device", "host"):
                for nth in (3, 20, 45):
                    with self.subTest(key=key, assembly=assembly, nth=nth):
                        with open(self.path("sim.toml"), "w", encoding="utf-8") as file:
                            file.write(f'[device]\nassembly = "{assembly}"\n[sim]\n{key} = {nth}\n')
                        run = self.correct(*SIM, "--solver", "batched", "--config", "sim.toml", "--tile", "4x30")
                        self.assertEqual(run.code, 1, run.stderr)
                        self.assertIn("simulated device", run.stderr)
                        self.assert_nothing_written()


class BatchedGoldenTopography(golden_topography_test.GoldenTopography):
    def run_case(self, case, *more):
        super().run_case(case, *SIM, "--solver", "batched", *more)


class BothSteps(ThenTest):
    DATASETS = ("timeseries", "temporalCoherence", "mask", "timeseries", "timeseries", "dem")

    def test_one_pass_gives_the_bits_of_two_runs_on_the_device(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        for options in ({"holes": True}, {"bperp": True}):
            self.write_geometry(**options)
            self.assert_same(["--calc-cov"], ["-g", GEOMETRY], [*SIM, "--tile", "5x7"], ["timeseriesDecorCov.h5"])

    def test_one_pass_gives_the_hosts_answer_and_the_same_files(self):
        self.write()
        self.write_geometry(bperp=True, holes=True)
        self.one_run(second=["-g", GEOMETRY])
        host = [mp.read(self.path("chain", n), d) for n, d in zip(FIRST + SECOND, self.DATASETS)]
        files, pixels = sorted(os.listdir(self.path("chain"))), self.report("chain.json")
        self.one_run(second=["-g", GEOMETRY], machine=SIM)
        report = self.report("chain.json")
        self.assertEqual(report["device"]["name"], "sim")
        self.assertEqual((report["pixels"], report["then"][0]["pixels"], report["deviations"]),
                         (pixels["pixels"], pixels["then"][0]["pixels"], pixels["deviations"]))
        self.assertEqual(sorted(os.listdir(self.path("chain"))), files)
        for name, dataset, expected in zip(FIRST + SECOND, self.DATASETS, host):
            found = mp.read(self.path("chain", name), dataset)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.max(np.abs(expected)), err_msg=name)

    def test_one_pass_in_batches_gives_the_bits_of_two_runs_whoever_forms_the_design_matrices(self):
        self.write()
        with open(self.path("smallbaselineApp.cfg"), "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {DATES[3]}\n")
        for options in ({"holes": True}, {"bperp": True, "holes": True}):
            for device in ("", 'assembly = "host"\nbatch = 13\nqueues = 2\n'):
                with self.subTest(options=options, device=device):
                    self.write_geometry(**options)
                    with open(self.path("batched.toml"), "w", encoding="utf-8") as file:
                        file.write(f"[device]\n{device}")
                    machine = [*SIM, "--solver", "batched", "--tile", "5x7", "--config", "batched.toml"]
                    one, two, chain = self.assert_same(["--calc-cov"], ["-g", GEOMETRY], machine,
                                                       ["timeseriesDecorCov.h5"])
                    self.assertGreater(one["pixels"]["min_norm"], 25)
                    assembly = "host" if device else "device"
                    described = chain["device"]
                    self.assertEqual((described["name"], described["solver"], described["assembly"]),
                                     ("sim", "batched", assembly))
                    for stages in (chain["stages"], chain["predicted"]["stages"]):
                        self.assertEqual("assemble" in stages, assembly == "host")
                    plan = outcrop("invert-network", STACK, "--plan", *machine, "--then", "correct-topography", "-g",
                                   GEOMETRY, cwd=self.folder)
                    self.assertRegex(plan.stdout, rf"batches of \d+ and then \d+ pixels .* formed by the {assembly}\n")

    def test_one_pass_in_batches_gives_the_hosts_answer(self):
        self.write()
        self.write_geometry(bperp=True, holes=True)
        self.one_run(second=["-g", GEOMETRY])
        host = [mp.read(self.path("chain", n), d) for n, d in zip(FIRST + SECOND, self.DATASETS)]
        pixels = self.report("chain.json")
        for runner in ("graph", "serial"):
            with open(self.path("run.toml"), "w", encoding="utf-8") as file:
                file.write(f'[run]\nrunner = "{runner}"\n')
            self.one_run(second=["-g", GEOMETRY], machine=[*SIM, "--solver", "batched", "--config", "run.toml"])
            report = self.report("chain.json")
            self.assertEqual((report["pixels"], report["then"][0]["pixels"], report["deviations"]),
                             (pixels["pixels"], pixels["then"][0]["pixels"], pixels["deviations"]))
            for name, dataset, expected in zip(FIRST + SECOND, self.DATASETS, host):
                found = mp.read(self.path("chain", name), dataset)
                np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.max(np.abs(expected)), err_msg=name)

    def test_a_failing_device_leaves_no_product_of_either_step(self):
        self.write()
        for solver, numbers in (("structured", (3, 7, 20)), ("batched", (3, 9, 14, 30))):
            for key, words in (("fail_copy", "copy"), ("fail_kernel", "kernel"), ("fail_queue", "queue")):
                for nth in numbers:
                    with self.subTest(solver=solver, key=key, nth=nth):
                        with open(self.path("sim.toml"), "w", encoding="utf-8") as file:
                            file.write(f"[sim]\n{key} = {nth}\n")
                        before = self.entries()
                        run = outcrop("invert-network", STACK, *SIM, "--solver", solver, "--config", "sim.toml",
                                      "--tile", "5x29", "--then", "correct-topography", cwd=self.folder)
                        self.assertEqual(run.code, 1, run.stderr)
                        self.assertIn(words, run.stderr)
                        self.assertEqual(self.entries(), before)


class DeviceRun(SceneTest):
    """A stack of eight tiles; `[sim]` keys as the test wants them."""

    ROWS, COLS, TILE = 32, 64, "4x64"

    def setUp(self):
        super().setUp()
        self.write_signal(self.ROWS, self.COLS, growth=0.001)

    def sim(self, sim="", more="", *arguments):
        with open(self.path("sim.toml"), "w", encoding="utf-8") as file:
            file.write(f"{more}\n[sim]\n{sim}\n")
        return self.invert("--config", "sim.toml", "--tile", self.TILE, "--report", "run.json", "--trace", "trace.json",
                           *SIM, *arguments)

    def report(self):
        with open(self.path("run.json"), encoding="utf-8") as file:
            return json.load(file)


class Faults(DeviceRun):
    def test_a_failing_device_ends_the_run_with_its_words_and_no_product(self):
        words = {"fail_copy": "copy", "fail_kernel": "kernel", "fail_queue": "queue"}
        for key, word in words.items():
            for nth in (2, 5, 8):
                with self.subTest(key=key, nth=nth):
                    run = self.sim(f"{key} = {nth}")
                    self.assertEqual(run.code, 1, run.stderr)
                    self.assertIn("simulated device", run.stderr)
                    self.assertIn(word, run.stderr)
                    self.assertIn("stage solve", run.stderr)
                    self.assertEqual(run.stdout, "")
                    self.assert_nothing_written()
                    self.assertEqual(self.report()["exit"], 1)

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


class PlanAndReport(DeviceRun):
    def test_they_name_the_device_and_its_queues(self):
        plan = json.loads(self.invert("--plan=json", "--tile", self.TILE, *SIM).stdout)
        self.assertEqual(plan["device"]["name"], "sim")
        self.assertEqual(plan["device"]["queues"], plan["tiles"]["slots"])
        self.assertIn("simulated device", plan["memory"])
        self.assertEqual(self.sim("", "[device]\nqueues = 2\n").code, 0)
        report = self.report()
        self.assertEqual(report["device"]["queues"], 2)
        self.assertEqual(report["device"]["reason"], "asked for")
        samples = 2 * 7 * self.ROWS * self.COLS
        self.assertGreaterEqual(report["stages"]["copy_in"]["bytes"], 4 * samples)
        self.assertLess(report["stages"]["copy_in"]["bytes"], 1.1 * 4 * samples)  # the rows of a slot are padded
        for stage in ("copy_in", "solve", "copy_out"):
            self.assertGreater(report["stages"][stage]["elapsed_s"], 0)

    def test_a_small_device_holds_fewer_tiles_and_the_plan_says_so(self):
        with open(self.path("small.toml"), "w", encoding="utf-8") as file:
            file.write('[sim]\nmemory = "100K"\n')
        plan = json.loads(self.invert("--plan=json", "--tile", self.TILE, *SIM, "--config", "small.toml").stdout)
        self.assertEqual(plan["device"]["name"], "sim")
        self.assertLess(plan["tiles"]["slots"], 6)
        self.assertTrue(any("tiles in flight instead of 6" in note for note in plan["notes"]), plan["notes"])

    def test_auto_stays_on_the_host_and_says_why(self):
        run = self.invert("--report", "run.json")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertIn("running on the host: ", run.stderr)
        self.assertEqual(self.report()["device"]["name"], "cpu")
        self.assertNotEqual(self.report()["device"]["reason"], "")

    def test_cuda_without_a_device_is_refused_before_anything_is_written(self):
        for changes in ({}, {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "99"}):
            run = self.invert("--device", "cuda:77", env=changes)
            self.assert_refused(run, "--device cuda:77", "--device cpu runs on the host")
            self.assertEqual(run.stderr.count("--device cpu"), 1)


class StartUp(DeviceRun):
    """Seconds that the device takes to start are seconds in which the first tiles are read."""

    START_UP_S = 3

    def spans(self, name):
        with open(self.path("trace.json"), encoding="utf-8") as file:
            events = [e for e in json.load(file)["traceEvents"] if e["name"] == name]
        return sorted((e["args"]["tile"], e["ts"] * 1e-6, (e["ts"] + e["dur"]) * 1e-6) for e in events)

    def test_the_first_tiles_are_read_while_the_device_starts_and_the_products_are_the_same(self):
        self.assertEqual(self.sim().code, 0)
        first, expected = self.product_hashes(), self.report()
        for more in ("[tiles]\nslots = 3\n", '[run]\nrunner = "serial"\n'):
            with self.subTest(more):
                self.assertEqual(self.sim(f"start_up = {self.START_UP_S}", more).code, 0)
                report = self.report()
                self.assertEqual(self.product_hashes(), first)
                self.assertEqual(report["bytes"], expected["bytes"])
                # The tiles in flight were read long before anything could be copied to the device.
                reads, copies = self.spans("read"), self.spans("copy_in")
                for tile in range(3):
                    read = next(span for span in reads if span[0] == tile)
                    self.assertLess(read[2], copies[0][1] - self.START_UP_S / 3)
                self.assertLess(report["start_s"], self.START_UP_S - 1)
                self.assertGreaterEqual(report["wall_s"], self.START_UP_S)

    def test_damage_met_while_the_device_starts_ends_the_run_in_the_same_words(self):
        values = mp.read(self.stack, "unwrapPhase")
        mp.write_stack(self.stack, values, storage={"chunks": (7, 4, 64), "compression": "gzip"})
        with open(self.stack, "r+b") as file:
            file.truncate(os.path.getsize(self.stack) // 2)
        without, with_start = self.sim(), self.sim("start_up = 0.5")
        self.assertEqual((with_start.code, with_start.stderr.splitlines()[1:]),
                         (without.code, without.stderr.splitlines()[1:]))
        self.assert_nothing_written()

    def test_little_memory_leaves_no_room_for_a_head_start(self):
        run = self.sim("start_up = 0.5", "", "--memory", "72M")
        self.assertEqual(run.code, 0, run.stderr)
        if not SANITIZED:
            self.assertLessEqual(self.report()["peak_rss_bytes"], 72 * 2**20)

    def test_a_plan_waits_for_the_device_and_reads_no_tile(self):
        run = self.sim("start_up = 0.2", "", "--plan")
        self.assertEqual(run.code, 0, run.stderr)
        self.assertNotIn("before the device is there", run.stdout)


class Stopping(DeviceRun):
    """Signals end what the simulated device waits for, however slow it is."""

    SOON_S = 2  # a tenth of a second as a rule; the rest is for a loaded machine

    def stop(self, text, when, *arguments):
        with open(self.path("sim.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        process = start(["invert-network", STACK, *SIM, "--config", "sim.toml", "--tile", self.TILE, "--progress",
                         "none", *arguments], self.folder)
        when(process)
        sent_s = time.monotonic()
        process.send_signal(signal.SIGINT)
        run = finish(process, timeout=30)
        ended_s = time.monotonic() - sent_s
        self.assertEqual(run.code, 130, run.stderr)
        self.assertIn("stopped by", run.stderr)
        self.assertEqual(run.stdout, "")
        self.assert_nothing_written()
        return ended_s

    def test_a_run_on_a_device_of_one_byte_a_second_ends_soon_after_the_signal(self):
        slow = "[sim]\ncopy_rate = 1\n"
        # The tables alone would take an hour: no product has been begun.
        self.assertLess(self.stop(slow, lambda process: time.sleep(0.5)), self.SOON_S)

    def test_a_tile_under_way_ends_soon_after_the_signal(self):
        part = self.path(".outcrop", "timeseries.h5.part")

        def begun(process):
            wait_until(lambda: os.path.exists(part) or process.poll() is not None, f"{part} appears")
            time.sleep(0.2)

        for slow in ("copy_rate = 20000", "launch_latency = 1000", "compute_rate = 1"):
            for more in ("", "[device]\nqueues = 1\n", '[run]\nrunner = "serial"\n'):
                for solver in ("structured", "batched"):
                    with self.subTest(slow=slow, more=more, solver=solver):
                        ended_s = self.stop(f"{more}[sim]\n{slow}\n", begun, "--solver", solver)
                        self.assertLess(ended_s, self.SOON_S)

    def test_a_device_that_is_starting_ends_soon_after_the_signal(self):
        self.assertLess(self.stop("[sim]\nstart_up = 1000\n", lambda process: time.sleep(0.5)), self.SOON_S)


def union_s(spans):
    """Seconds that at least one of the spans (start, end) covers."""
    total, reached = 0.0, -1e30
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


class Overlap(DeviceRun):
    # Copies in take 40 ms a tile, kernels 40 ms, copies out half of that: timed waits, which need no processor.
    RATES = "copy_rate = 360000\nlaunch_latency = 0.04"

    def overlap(self, slots, queues):
        """Seconds of work of the device's parts for each second in which the device works, and the spans by part."""
        more = f"[tiles]\nslots = {slots}\n[device]\nqueues = {queues}\n"
        self.assertEqual(self.sim(self.RATES, more).code, 0)
        with open(self.path("trace.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        parts = {part: sorted((e["args"]["tile"], e["ts"] * 1e-6, (e["ts"] + e["dur"]) * 1e-6)
                              for e in events if e["name"] == part) for part in ("copy_in", "solve", "copy_out")}
        for spans in parts.values():
            self.assertEqual([tile for tile, _, _ in spans], list(range(8)))
        busy = [union_s([(start, end) for _, start, end in spans]) for spans in parts.values()]
        return sum(busy) / union_s([(start, end) for spans in parts.values() for _, start, end in spans]), parts

    def test_a_trace_shows_copies_and_kernels_of_different_tiles_at_once(self):
        one_by_one, _ = self.overlap(1, 1)
        together, parts = self.overlap(6, 6)
        self.assertLess(one_by_one, 1.05)
        self.assertGreater(together, 1.4)
        ahead = sum(copied[1] < solved[2] for copied, solved in zip(parts["copy_in"][1:], parts["solve"][:-1]))
        self.assertGreaterEqual(ahead, 4)

    def test_one_queue_keeps_the_order_of_its_slots(self):
        together, _ = self.overlap(6, 1)
        self.assertLess(together, 1.05)


if __name__ == "__main__":
    main()
