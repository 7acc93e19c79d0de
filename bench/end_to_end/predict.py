#!/usr/bin/env python3
"""P9: how near do predictions come? Measures the machine with `outcrop measure --cached`, draws runs by a fixed seed from
the grid below, none of which any rate was fitted to, and compares the predicted wall time of each with the median of
three. Files are in the page cache. Prints the table for docs/cost-model.md and writes it to predict.md in the work
folder; scenes are kept there for the next time. Usage: predict.py --build DIR --work DIR [--seed N]"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import time

STEPS = ("invert-network", "correct-topography")
SIZES = ((100, 150), (300, 500), (1000, 1500))  # rows, columns: 1.5e4 to 1.5e6 pixels
DATES = (24, 60)
COMPRESSIONS = ("lzf", "gzip+shuffle")
CAPS = ("256M", "2G")
DEVICES = ("cpu", "sim")
# The simulated device computes on one processor, so that its rate has to be below that processor's own; large scenes
# would take minutes.
SIM = '[sim]\nmemory = "512M"\ncopy_rate = 2e8\ncompute_rate = 1e8\nlaunch_latency = 1e-4\n'
RUNS_OF_A_SIZE = (5, 5, 5)
REPEATS = 3
BAR = 0.15


def draw(seed):
    """(step, (rows, cols), dates, compression, cap, device), sorted by size."""
    chance = random.Random(seed)
    runs = []
    for size, count in zip(SIZES, RUNS_OF_A_SIZE):
        devices = DEVICES if size != SIZES[-1] else ("cpu",)
        grid = [(step, size, dates, compression, cap, device) for step in STEPS for dates in DATES
                for compression in COMPRESSIONS for cap in CAPS for device in devices]
        runs += chance.sample(grid, count)
    return runs


def call(command, cwd):
    return subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True, text=True).stdout


class Bench:
    def __init__(self, options):
        self.program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
        self.work = os.path.abspath(options.work)
        self.machine = os.path.join(self.work, "machine.toml")
        os.makedirs(self.work, exist_ok=True)

    def measure(self):
        call([self.program, "measure", "--cached", "-q", "--storage", self.work, "-o", self.machine], self.work)
        for device in DEVICES:
            with open(self.config(device), "w", encoding="utf-8") as file:
                file.write(f'[machine]\nfile = "{self.machine}"\n' + (SIM if device == "sim" else ""))

    def config(self, device):
        return os.path.join(self.work, f"{device}.toml")

    def scene(self, size, dates, compression):
        """Folder of a scene with its series, made when it is not there."""
        folder = os.path.join(self.work, f"predict-{size[0]}x{size[1]}-{dates}-{compression.replace('+', '-')}")
        if not os.path.exists(os.path.join(folder, "timeseries.h5")):
            shutil.rmtree(folder, ignore_errors=True)
            call([self.program, "simulate", folder, "-q", "--rows", size[0], "--cols", size[1], "--dates", dates,
                  "--pairs-per-date", 3, "--bperp3d", "--chunks", "auto", "--compression", compression], self.work)
            call([self.program, "invert-network", "inputs/ifgramStack.h5", "-q", "--progress", "none"], folder)
        return folder

    def run(self, step, size, dates, compression, cap, device):
        """Predicted and measured wall seconds, after one run that fills the page cache."""
        folder = self.scene(size, dates, compression)
        inputs = (["inputs/ifgramStack.h5", "-o", "ts.h5", "q.h5", "n.h5"] if step == STEPS[0] else
                  ["timeseries.h5", "-g", "inputs/geometryRadar.h5", "--residual-file", "residual.h5"])
        command = [self.program, step, *inputs, "-q", "--progress", "none", "--memory", cap, "--device", device,
                   "--config", self.config(device), "--report", "report.json"]
        outputs = (["ts.h5", "q.h5", "n.h5"] if step == STEPS[0] else
                   ["timeseries_demErr.h5", "residual.h5", "demErr.h5"])
        reports = []
        for _ in range(1 + REPEATS):
            for name in outputs:  # freeing what a rename would replace takes as long as writing it
                if os.path.exists(os.path.join(folder, name)):
                    os.remove(os.path.join(folder, name))
            call(command, folder)
            with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
                reports.append(json.load(file))
        walls = [report["wall_s"] for report in reports[1:]]
        predicted = reports[-1]["predicted"]
        measured = statistics.median(walls)
        return {"step": step, "K": size[0] * size[1], "D": dates, "compression": compression, "cap": cap,
                "device": device, "predicted_s": predicted["wall_s"], "measured_s": measured, "walls_s": walls,
                "error": predicted["wall_s"] / measured - 1, "predicted_bottleneck": predicted["bottleneck"],
                "measured_bottleneck": reports[-1]["bottleneck"], "predicted": predicted,
                "stages": {name: stage["alone_s"] for name, stage in reports[-1]["stages"].items()}}


def table(rows, seed, load):
    within = sum(abs(row["error"]) <= BAR for row in rows)
    text = (f"Seed {seed}, load average {load[0]:.2f} before and {load[1]:.2f} after; medians of {REPEATS} "
            f"(smallest to largest):\n\n| step | K | D | compression | cap | device | predicted s | measured s | error "
            "| bottleneck predicted, measured |\n|---|---|---|---|---|---|---|---|---|---|\n")
    for row in rows:
        text += (f"| {row['step']} | {row['K']:,} | {row['D']} | {row['compression']} | {row['cap']} | {row['device']} | "
                 f"{row['predicted_s']:.3f} | {row['measured_s']:.3f} ({min(row['walls_s']):.3f} to "
                 f"{max(row['walls_s']):.3f}) | {100 * row['error']:+.0f} % | {row['predicted_bottleneck']}, "
                 f"{row['measured_bottleneck']} |\n")
    return text + f"\nWithin {100 * BAR:.0f} %: {within} of {len(rows)}.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/outcrop")
    parser.add_argument("--work", required=True, help="folder for scenes, which are kept, and results")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bench = Bench(options)
    runs = draw(options.seed)
    for _, size, dates, compression, _, _ in runs:
        bench.scene(size, dates, compression)
    os.sync()
    time.sleep(2)
    load_before = os.getloadavg()[0]
    bench.measure()
    rows = [bench.run(*run) for run in runs]
    text = table(rows, options.seed, (load_before, os.getloadavg()[0]))
    print(text, end="")
    with open(os.path.join(bench.work, "predict.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(bench.work, "predict.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
