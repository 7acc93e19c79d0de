"""Tests of what the simulated device does meanwhile: reading while it starts, copies and kernels of different tiles at
once, and waits that a signal ends."""
import json
import os
import signal
import time

import mintpy_files as mp
from device_run import SIM, DeviceRun
from outcrop_run import SANITIZED, STACK, finish, main, start, wait_until


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
            self.assertEqual({tile for tile, _, _ in spans}, set(range(8)))
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
