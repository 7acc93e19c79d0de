"""Runs the program with --device sim: a device that is simulated, at a pace and with faults of the test's choice."""
import json
import re

from outcrop_run import SceneTest

SIM = ("--device", "sim")


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


class FailingDevice:
    """A mixin: the device fails at the first call of the first tile, in a middle tile, and at the last call of all."""

    WORDS = {"fail_copy": "copy", "fail_kernel": "kernel", "fail_queue": "queue"}

    def device_config(self, sim, runner="graph", assembly="device"):
        """The path of a configuration under which the number of a call tells its tile."""
        with open(self.path("failing.toml"), "w", encoding="utf-8") as file:
            file.write(f'[device]\nqueues = 3\nbatch = 64\nassembly = "{assembly}"\n[tiles]\nslots = 3\n'
                       f'[run]\nrunner = "{runner}"\n[sim]\n{sim}\n')
        return self.path("failing.toml")

    def check_every_fault(self, run, num_tiles, before, copies, kernels):
        """run(sim, runner): a run with that in [sim]. before: copies before the first tile; copies, kernels: in all."""
        last = {"fail_copy": copies, "fail_kernel": kernels, "fail_queue": copies + kernels}
        for key in self.WORDS:
            first = 1 if key == "fail_kernel" else before + 1
            for runner in ("serial", "graph"):
                calls = (first, (first + last[key]) // 2, last[key])
                tiles = [self.failed_tile(run, key, nth, runner) for nth in calls]
                if runner == "serial":  # else several are under way
                    self.assertEqual((tiles[0], tiles[2]), (0, num_tiles - 1))
                    self.assertTrue(0 < tiles[1] < num_tiles - 1, tiles)
        for key in self.WORDS:
            ended = run(f"{key} = {last[key] + 1}", "graph")
            self.assertEqual(ended.code, 0, f"{key}: there are more calls than {last[key]}: {ended.stderr}")

    def failed_tile(self, run, key, nth, runner):
        ended = run(f"{key} = {nth}", runner)
        said = f"{key} = {nth}, {runner}: {ended.stderr}"
        self.assertEqual(ended.code, 1, said)
        self.assertIn("simulated device", ended.stderr, said)
        self.assertIn(self.WORDS[key], ended.stderr, said)
        self.assertEqual(ended.stdout, "", said)
        self.assert_nothing_written()
        return int(re.search(r"tile (\d+), stage solve", ended.stderr)[1])
