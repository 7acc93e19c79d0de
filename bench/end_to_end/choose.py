#!/usr/bin/env python3
"""Does --device auto pick the faster one? Draws set-ups by a fixed seed (both steps, sizes, dates, compressions, simulated
devices of many speeds), asks `--plan --device auto` of each, then runs it on the host and on the simulated device, until
so many differ by more than 10 %, and counts how many picks were right among these. One thread; files are in the page cache.
Prints a table and writes all set-ups to choose.md and choose.json in the work folder; scenes are kept there for the next
time.

The simulated device computes on this machine's processor without vectors, more slowly than the host's kernels, and then
waits until the time of its set rate has passed. So that these waits, not the computing, decide at rates near the host's, the
host runs its baseline kernels, and one pixel in eight is not masked: those kernels work at eight pixels at once and take as
long as with all of them, the device skips the others. Where files are compressed the device is the faster one at such
rates, because it solves while the host decodes; where not, it hardly ever is.

Rates are measured by `outcrop measure` and then corrected, for each step, by the reports of a few of its runs on the host, as
--report of that command does: set-ups of the same kind, drawn by another seed, of which none is counted.
Usage: choose.py --build DIR --work DIR [--seed N] [--count N]"""
import argparse
import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess

import h5py
import numpy as np
from packed import pack

STEPS = ("invert-network", "correct-topography")
# Large enough that the start, some 0.04 s, is a small part: rows, columns; dates, pairs a date.
SIZES = {STEPS[0]: ((600, 320), (800, 320), (1000, 320)), STEPS[1]: ((1600, 320), (2400, 320))}
NETWORKS = {STEPS[0]: ((24, 3), (40, 5), (60, 5)), STEPS[1]: ((40, 2), (60, 2))}
COMPRESSIONS = {STEPS[0]: ("none", "lzf", "gzip", "gzip", "gzip+shuffle", "gzip+shuffle"),
                STEPS[1]: ("none", "lzf", "gzip+shuffle", "gzip+shuffle", "gzip+shuffle")}
CHUNK = (8, 16)                         # layers, rows; all columns
# Drawn evenly of their logarithms, around the rates at which host and device take as long as each other. The fastest are
# what the simulated device reaches on this machine, so that a set rate is kept.
COPY_RATES = (8e8, 1e10)                                           # bytes a second
COMPUTE_RATES = {STEPS[0]: (2e9, 6.5e9), STEPS[1]: (2e9, 8e9)}  # flops a second
LAUNCHES = (1e-5, 1e-3)                                            # seconds
# Of correct-topography; with three columns and residuals writing bounds both, which storage does now faster, now slower.
MODEL = ("--poly-order", 5, "--periodic", 1, 0.5, "--residual-file", "no")
FILTERS = {"none": {}, "lzf": {"compression": "lzf"}, "gzip": {"compression": "gzip"},
           "gzip+shuffle": {"compression": "gzip", "shuffle": True}}
MEMORY = "256M"
EVERY = 8                                            # of so many columns one is not masked
SERIES = "series.h5"                                 # the inverted series, packed like the stack
PRODUCTS = ("ts.h5", "q.h5", "n.h5", "series_demErr.h5", "demErr.h5")
LESSONS, LESSON_SEED = 12, 1000000
LONGEST_S = 3
REPEATS = 3
DIFFERENT = 0.10
BAR = 0.95
FEWEST = 0.25  # of the set-ups that differ, each of the two has to be the faster one in so many, or a guess would do


def between(chance, lowest, highest):
    return lowest * (highest / lowest) ** chance.random()


def draw(chance, step=None):
    step = step or chance.choice((STEPS[0], STEPS[0], STEPS[1]))
    return {"step": step, "size": chance.choice(SIZES[step]), "network": chance.choice(NETWORKS[step]),
            "compression": chance.choice(COMPRESSIONS[step]), "copy_rate": between(chance, *COPY_RATES),
            "compute_rate": between(chance, *COMPUTE_RATES[step]), "launch": between(chance, *LAUNCHES)}


def call(command, cwd):
    return subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True, text=True,
                          env={**os.environ, "OUTCROP_ISA": "baseline"}).stdout


class Bench:
    def __init__(self, options):
        self.program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
        self.work = os.path.abspath(options.work)
        self.machine = os.path.join(self.work, "machine.toml")
        self.corrected = {}  # machine files, by step
        self.config = os.path.join(self.work, "choose.toml")
        os.makedirs(self.work, exist_ok=True)

    def measure(self, seed):
        """The machine's rates, and for each step those corrected by runs of it: one rate does not hold for a stack of noise
        and for a series that is 0 in seven pixels of eight."""
        measure = [self.program, "measure", "-q"]
        call([*measure, "--cached", "--threads", 1, "--storage", self.work, "-o", self.machine], self.work)
        for number, step in enumerate(STEPS):
            chance = random.Random(seed + LESSON_SEED + number)
            reports = [self.lesson(draw(chance, step), f"{step}-{i}.json") for i in range(LESSONS)]
            corrected = os.path.join(self.work, f"machine-{step}.toml")
            call([*measure, "--machine", self.machine, "--report", *reports, "-o", corrected], self.work)
            self.corrected[step] = corrected

    def lesson(self, setup, name):
        """Name of the report of a run on the host."""
        self.plan(setup, "cpu")
        for _ in range(2):  # the first fills the page cache
            report = self.report(setup, "cpu")
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
            json.dump(report, file)
        return name

    def scene(self, setup):
        """Folder of a scene with its mask and series, made when it is not there."""
        (rows, cols), (dates, pairs) = setup["size"], setup["network"]
        compression = setup["compression"]
        folder = os.path.join(self.work, f"choose-{rows}x{cols}-{dates}-{pairs}-{compression.replace('+', '-')}")
        if os.path.exists(os.path.join(folder, SERIES)):
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        chunks = ",".join(map(str, (*CHUNK, cols)))
        call([self.program, "simulate", folder, "-q", "--rows", rows, "--cols", cols, "--dates", dates, "--pairs-per-date",
              pairs, "--bperp3d", "--chunks", chunks, "--compression", compression], self.work)
        with h5py.File(os.path.join(folder, "inputs/ifgramStack.h5"), "r") as stack:
            attributes = dict(stack.attrs)
        kept = np.zeros((rows, cols), bool)
        kept[:, ::EVERY] = True
        with h5py.File(os.path.join(folder, "mask.h5"), "w") as file:
            file["mask"] = kept
            file.attrs.update({**attributes, "FILE_TYPE": "mask"})
        call([self.program, "invert-network", "inputs/ifgramStack.h5", "-m", "mask.h5", "-q", "--progress", "none"], folder)
        pack(os.path.join(folder, "timeseries.h5"), os.path.join(folder, SERIES),
             chunks=(*CHUNK, cols), **FILTERS[compression])
        needless = ("timeseries.h5", "truth.h5") + (() if setup["step"] == STEPS[0] else ("inputs/ifgramStack.h5",))
        for name in needless:
            os.remove(os.path.join(folder, name))
        return folder

    def command(self, setup, *more):
        inputs = (["inputs/ifgramStack.h5", "-m", "mask.h5", "-o", "ts.h5", "q.h5", "n.h5"] if setup["step"] == STEPS[0]
                  else [SERIES, "-g", "inputs/geometryRadar.h5", *MODEL])
        return [self.program, setup["step"], *inputs, "-q", "--progress", "none", "--memory", MEMORY,
                "--config", self.config, *more]

    def plan(self, setup, device):
        with open(self.config, "w", encoding="utf-8") as file:
            machine = self.corrected.get(setup["step"], self.machine)
            file.write(f'[machine]\nfile = "{machine}"\n[run]\nthreads = 1\n[sim]\nmemory = "512M"\ncandidate = true\n'
                       f"copy_rate = {setup['copy_rate']}\ncompute_rate = {setup['compute_rate']}\n"
                       f"launch_latency = {setup['launch']}\n")
        return json.loads(call(self.command(setup, "--plan=json", "--device", device), self.scene(setup)))

    def report(self, setup, device):
        """Of a run with the configuration that the last plan had. Its products are removed: to replace them takes time."""
        folder = self.scene(setup)
        call(self.command(setup, "--device", device, "--report", "report.json"), folder)
        for product in PRODUCTS:
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(folder, product))
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            return json.load(file)

    def run(self, setup):
        """What was picked, and the medians of both."""
        plan = self.plan(setup, "auto")
        predicted = {device: self.plan(setup, device)["predicted"]["wall_s"] for device in ("cpu", "sim")}
        walls = {"cpu": [], "sim": []}
        for turn in range(REPEATS):
            for device, seconds in walls.items():
                if turn == 0 and device == "cpu":  # fills the page cache
                    self.report(setup, device)
                seconds.append(self.report(setup, device)["wall_s"])
        measured = {device: statistics.median(seconds) for device, seconds in walls.items()}
        return {**setup, "picked": plan["device"]["name"], "reason": plan["device"]["reason"], "predicted_s": predicted,
                "measured_s": measured, "walls_s": walls, "faster": min(measured, key=measured.get),
                "differ": max(measured.values()) / min(measured.values()) - 1 > DIFFERENT}

    def run_all(self, seed, count):
        """Set-ups whose runs do not take too long, until so many differ."""
        chance = random.Random(seed)
        rows = []
        while sum(row["differ"] for row in rows) < count:
            setup = draw(chance)
            if self.plan(setup, "sim")["predicted"]["wall_s"] < LONGEST_S:
                rows.append(self.run(setup))
        return rows


def table(rows, seed, load):
    text = (f"Seed {seed}, load average {load[0]:.2f} before and {load[1]:.2f} after; medians of {REPEATS}; predicted, "
            "measured seconds:\n\n| step | K | D | compression | copies B/s | flops/s | launch s | host | device | picked "
            "| |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
    for row in rows:
        verdict = "same" if not row["differ"] else "right" if row["picked"] == row["faster"] else "**wrong**"
        seconds = " | ".join(f"{row['predicted_s'][d]:.3f}, {row['measured_s'][d]:.3f}" for d in ("cpu", "sim"))
        text += (f"| {row['step']} | {row['size'][0] * row['size'][1]:,} | {row['network'][0]} | {row['compression']} | "
                 f"{row['copy_rate']:.1e} | {row['compute_rate']:.1e} | {row['launch']:.1e} | {seconds} | {row['picked']} "
                 f"| {verdict} |\n")
    different = [row for row in rows if row["differ"]]
    right = sum(row["picked"] == row["faster"] for row in different)
    faster = sum(row["faster"] == "sim" for row in different)
    share = right / len(different) if different else 1
    balanced = min(faster, len(different) - faster) >= FEWEST * len(different)
    if not balanced:
        text += "\nToo few where one of the two is the faster: this run shows nothing.\n"
    return text + (f"\n{len(different)} of {len(rows)} differ by more than {100 * DIFFERENT:.0f} %, the device is the faster "
                   f"in {faster} of them. Picked right: {right}, {100 * share:.1f} % (bar {100 * BAR:.0f} %).\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/outcrop")
    parser.add_argument("--work", required=True, help="folder for scenes, which are kept, and results")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="set-ups that have to differ")
    options = parser.parse_args()
    bench = Bench(options)
    load_before = os.getloadavg()[0]
    bench.measure(options.seed)
    rows = bench.run_all(options.seed, options.count)
    text = table(rows, options.seed, (load_before, os.getloadavg()[0]))
    print(text, end="")
    with open(os.path.join(bench.work, "choose.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(bench.work, "choose.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
