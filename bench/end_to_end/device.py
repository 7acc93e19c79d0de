#!/usr/bin/env python3
"""P7: does the device's work hide behind its slowest stage? Runs `outcrop correct-topography` on the simulated device with
rates at which copies in, kernels and copies out take the same time, and compares the wall time with the slowest stage;
with one queue and one tile in flight; and with twice the unknowns a pixel. The scene's design matrices are 20 times the
device's memory: they pass through it in batches with --solver batched, and are not formed otherwise. The rates are kept
by timed waits, so that the ratios hold on few cores, but not on busy ones.
Usage: device.py --build DIR --work DIR [--tiles N] [--repeats N] [--solver batched]"""
import argparse
import json
import os
import shutil
import statistics
import subprocess

COLS, TILE_ROWS, DATES = 250, 4, 98
ORDERS = (2, 6)  # of the polynomial: with the DEM error 4 and 8 unknowns
STAGE_S = 0.05   # of one tile
BATCH = 125      # pixels: eight batches a tile
LAUNCHES = 5     # of a batch: design matrices, normal equations, factors, unknowns, products
BARS = {"overlap": 1.15, "serial": 2.0, "unknowns": 0.05}


def simulate(program, work, tiles):
    folder = os.path.join(work, f"device-{tiles}")
    if not os.path.exists(os.path.join(folder, "timeseries.h5")):
        shutil.rmtree(folder, ignore_errors=True)
        run([program, "simulate", folder, "-q", "--rows", TILE_ROWS * tiles, "--cols", COLS, "--dates", DATES,
             "--pairs-per-date", 2, "--bperp3d"], work)
        run([program, "invert-network", "inputs/ifgramStack.h5", "-q", "--progress", "none"], folder)
    return folder


def run(command, cwd):
    subprocess.run(list(map(str, command)), cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def union_s(spans):
    """Seconds that at least one of the spans covers."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


class Bench:
    def __init__(self, program, folder, tiles, solver):
        self.program, self.folder, self.tiles, self.solver = program, folder, tiles, solver
        batches = TILE_ROWS * COLS // BATCH
        self.launch_s = STAGE_S / (LAUNCHES * batches if solver == "batched" else 1)
        tile_bytes = TILE_ROWS * COLS * DATES * 2 * 4  # series and baselines in, corrected series and residual out
        self.copy_rate = tile_bytes / STAGE_S
        self.design_bytes = tiles * TILE_ROWS * COLS * DATES * (ORDERS[0] + 2) * 8

    def correct(self, slots, queues, order=ORDERS[0]):
        """Wall seconds from the first read to the last write, and the seconds in which each stage was busy."""
        config = (f"[tiles]\nslots = {slots}\n[device]\nqueues = {queues}\nbatch = {BATCH}\n"
                  f"[sim]\ncopy_rate = {self.copy_rate}\n"
                  f"launch_latency = {self.launch_s}\nmemory = \"{self.design_bytes // 20 // 1024}K\"\n")
        with open(os.path.join(self.folder, "sim.toml"), "w") as file:
            file.write(config)
        run([self.program, "correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5", "-p", order, "-q",
             "--progress", "none", "--device", "sim", "--solver", self.solver, "--config", "sim.toml",
             "--tile", f"{TILE_ROWS}x{COLS}", "--trace", "trace.json"], self.folder)
        with open(os.path.join(self.folder, "trace.json")) as file:
            events = json.load(file)["traceEvents"]
        spans = {}
        for e in events:
            spans.setdefault(e["name"], []).append((e["ts"] * 1e-6, (e["ts"] + e["dur"]) * 1e-6))
        every = [span for parts in spans.values() for span in parts]
        wall = max(end for _, end in every) - min(start for start, _ in every)
        return wall, {stage: union_s(parts) for stage, parts in spans.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--tiles", type=int, default=140)
    parser.add_argument("--solver", default="structured", choices=("structured", "batched"))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    bench = Bench(program, simulate(program, work, options.tiles), options.tiles, options.solver)
    overlap, serial, unknowns = [], [], []
    for _ in range(options.repeats):
        wall, stages = bench.correct(8, 8)
        overlap.append(wall / max(stages.values()))
        serial.append(bench.correct(1, 1)[0] / wall)
        unknowns.append(bench.correct(8, 8, ORDERS[1])[0] / wall - 1)
        print("  " + ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in stages.items()) + f", wall {wall:.2f} s")
    results = {"overlap": statistics.median(overlap), "serial": statistics.median(serial),
               "unknowns": statistics.median(unknowns), "load": os.getloadavg()}
    print(f"wall / slowest stage               {results['overlap']:.3f} (bar: <= {BARS['overlap']})")
    print(f"one queue and one tile / many      {results['serial']:.2f} (bar: >= {BARS['serial']})")
    print(f"twice the unknowns changes wall by {100 * results['unknowns']:.1f} % (bar: < {100 * BARS['unknowns']:.0f} %)")
    print(f"load average {results['load'][0]:.1f}")
    with open(os.path.join(work, "device.json"), "w") as file:
        json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
