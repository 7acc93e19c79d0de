"""Tests of --device auto: a device that is predicted to be faster is chosen, and a user learns why."""
import json
import os

import mintpy_files as mp
from outcrop_run import SceneTest, main

FAST = "copy_rate = 1e12\ncompute_rate = 1e15\n"
SLOW = "copy_rate = 1e5\ncompute_rate = 1e6\n"
# A host that takes a millisecond a pixel, all else at once.
SLOW_HOST = """[rates]
read_bytes_per_s = 1e12
write_bytes_per_s = 1e12
decode_plain_bytes_per_s = 1e12
decode_packed_bytes_per_s = 1e12
flops_per_s = 1e6
start_s = 0.001
"""
KERNEL = '[[{}]]\nstep = "invert-network"\nsolver = "{}"\npixel_s = {}\nflops_per_s = 1e15\n'


class ChoiceTest(SceneTest):
    def setUp(self):
        super().setUp()
        self.write_signal(16, 20, growth=0.001)

    def write_config(self, sim="", device="", machine=SLOW_HOST):
        with open(self.path("machine.toml"), "w", encoding="utf-8") as file:
            file.write(machine)
        with open(self.path("my.toml"), "w", encoding="utf-8") as file:
            file.write(f'[machine]\nfile = "machine.toml"\n[device]\n{device}\n[sim]\n{sim}\n')

    def plan(self, *arguments):
        run = self.invert("--config", "my.toml", "--plan=json", *arguments)
        self.assertEqual(run.code, 0, run.stderr)
        return json.loads(run.stdout)["device"]


class Device(ChoiceTest):
    def test_a_fast_device_is_chosen_and_plan_log_and_report_say_why(self):
        self.write_config(f"candidate = true\n{FAST}")
        run = self.invert_well("--config", "my.toml", "--report", "run.json").run
        self.assertRegex(run.stderr, r"running on sim: predicted .* s on sim, .* s on the host\n")
        with open(self.path("run.json"), encoding="utf-8") as file:
            device = json.load(file)["device"]
        self.assertEqual(device["name"], "sim")
        self.assertRegex(device["reason"], r"predicted .* s on sim, .* s on the host")
        self.assertEqual(self.plan()["reason"], device["reason"])
        self.assertIn(device["reason"], self.invert("--config", "my.toml", "--plan").stdout)

    def test_a_slow_device_is_not_and_the_answer_is_the_hosts(self):
        self.write_config(f"candidate = true\n{SLOW}")
        self.invert_well("--config", "my.toml")
        chosen = self.product_hashes()
        self.assertEqual(self.plan()["name"], "cpu")
        self.assertRegex(self.plan()["reason"], r"predicted .* s on the host, .* s on sim")
        self.invert_well("--device", "cpu")
        self.assertEqual(self.product_hashes(), chosen)

    def test_the_simulated_device_is_never_chosen_unless_it_stands_for_a_real_one(self):
        self.write_config(FAST)
        device = self.plan()
        self.assertEqual(device["name"], "cpu")
        self.assertNotIn("sim", device["reason"])

    def test_a_device_that_is_asked_for_is_not_weighed(self):
        self.write_config(f"candidate = true\n{SLOW}")
        self.assertEqual(self.plan("--device", "sim")["reason"], "asked for")
        self.assertEqual(self.plan("--device", "cpu")["reason"], "asked for")

    def test_a_candidate_without_memory_or_rates_is_left_out_and_said(self):
        self.write_config(f'candidate = true\nmemory = "4K"\n{FAST}')
        device = self.plan()
        self.assertEqual(device["name"], "cpu")
        self.assertRegex(device["reason"], "^sim is left out: sim has .* of memory free")
        self.write_config(f"candidate = true\nstart_up = 1000\n{FAST}")
        self.assertRegex(self.plan()["reason"], "^sim is left out: it takes .* to start, the host needs")
        self.write_config("candidate = true")
        self.assertRegex(self.plan()["reason"], "^sim is left out: the machine file does not say how fast it is")

    def test_a_device_of_the_machine_file_that_is_not_there_is_nothing_to_weigh(self):
        self.write_config(machine=SLOW_HOST + '[[device]]\nname = "cuda:77 No Such Device"\ncopy_in_bytes_per_s = 1e10\n')
        device = self.plan()
        self.assertEqual(device["name"], "cpu")
        if os.path.exists("/dev/nvidiactl"):
            self.assertIn("cuda:77 No Such Device is left out", device["reason"])
        else:
            self.assertEqual(device["reason"], "this machine has no NVIDIA driver")


class Solver(ChoiceTest):
    def test_the_faster_kernel_of_the_machine_file_decides_on_the_host(self):
        for structured, batched, expected in ((1e-6, 1e-5, "structured"), (1e-5, 1e-6, "batched")):
            self.write_config(machine=SLOW_HOST + KERNEL.format("kernel", "structured", structured)
                              + KERNEL.format("kernel", "batched", batched))
            device = self.plan()
            self.assertEqual(device["solver"], expected)
            self.assertRegex(device["solver_reason"], r"^predicted \S+ us a pixel, \w+ \S+ us a pixel$")

    def test_memory_threads_and_tiles_change_no_bit_of_what_is_chosen(self):
        self.write_config(machine=SLOW_HOST + KERNEL.format("kernel", "structured", 1e-5)
                          + KERNEL.format("kernel", "batched", 1e-6))
        self.invert_well("--config", "my.toml")
        first = self.product_hashes()
        for arguments in (["--threads", "1"], ["--tile", "3x20"], ["--memory", "80M"]):
            self.invert_well("--config", "my.toml", *arguments)
            self.assertEqual(self.product_hashes(), first)

    def test_a_device_has_kernels_of_its_own_and_who_assembles_is_weighed(self):
        device = '[[device]]\nname = "sim"\ncopy_in_bytes_per_s = 1e9\nassemble_bytes_per_s = 1e12\n'
        device += KERNEL.format("device.kernel", "structured", 9e-3) + KERNEL.format("device.kernel", "batched", 8e-3)
        device += KERNEL.format("device.kernel", "batched", 1e-3) + 'assembly = "host"\n'
        self.write_config(machine=SLOW_HOST + device)
        plan = self.plan("--device", "sim")
        self.assertEqual((plan["solver"], plan["assembly"]), ("batched", "host"))
        self.assertIn("by the host: 1e+03 us a pixel", plan["solver_reason"])
        chosen = mp.Products(self.folder) if self.invert_well("--config", "my.toml", "--device", "sim") else None
        self.write_config(device='assembly = "device"', machine=SLOW_HOST + device)
        self.assertEqual(self.plan("--device", "sim")["assembly"], "device")
        self.invert_well("--config", "my.toml", "--device", "sim")
        self.assert_same_values(chosen, mp.Products(self.folder))


if __name__ == "__main__":
    main()
