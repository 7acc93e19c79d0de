#!/usr/bin/env python3
"""P7: does the device's work hide behind its slowest stage? Runs `outcrop correct-topography` on the simulated device with
rates at which copies in, kernels and copies out take the same time (with design matrices from the host: copies in and
kernels), and compares the wall time with the slowest stage; and with one queue and one tile in flight. The scene's design
matrices are 20 times the device's memory: with --solver batched they pass through it in batches, formed by the device or,
with --assembly host, by the host, so that all of them cross the bus; else none is formed. With design matrices from the host
also: what twice the unknowns change, which are twice the bytes over the bus, while the copies stay below the kernels. Kernels
take the simulated device's launches and no time for arithmetic, which is not what is asked. The rates are kept by timed
waits, so that the ratios hold on few cores, but not on busy ones.
Usage: device.py --build DIR --work DIR [--tiles N] [--repeats N] [--solver batched] [--assembly host]"""
import argparse
import json
import os
import shutil
import statistics
import subprocess

COLS, TILE_ROWS, DATES = 250, 4, 98
ORDERS = (2, 6)  # of the polynomial: with the DEM error 4 and 8 unknowns
STAGE_S = 0.05   # of one tile
SLOTS = 6        # and queues: a tile being read, decoded, copied in, solved, copied out, written
BATCH = 100      # pixels: ten batches a tile
LAUNCHES = {"device": 5, "host": 4}  # of a batch: design matrices, normal equations, factors, unknowns, products
HIDDEN_SHARE = 0.8  # of the kernels' time that the copies take, with the most unknowns
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


def design_bytes(order):
    """Of a pixel: the design matrix, what was observed, and a scale."""
    return 8 * (DATES * (order + 2 + 1) + 1)


class Bench:
    def __init__(self, program, folder, tiles, solver, assembly):
        self.program, self.folder, self.solver, self.assembly = program, folder, solver, assembly
        batches = TILE_ROWS * COLS // BATCH
        self.launch_s = STAGE_S / (LAUNCHES[assembly] * batches if solver == "batched" else 1)
        self.memory_bytes = tiles * TILE_ROWS * COLS * DATES * (ORDERS[0] + 2) * 8 // 20

    def copy_rate(self, order, share):
        """At which copies in take that share of a stage."""
        pixel_bytes = DATES * 2 * 4  # series and baselines in, as many bytes out
        if self.assembly == "host":
            pixel_bytes += design_bytes(order)
        return TILE_ROWS * COLS * pixel_bytes / (share * STAGE_S)

    def correct(self, slots, queues, copy_rate, order=ORDERS[0]):
        """Wall seconds from the first read to the last write, and the seconds in which each stage was busy."""
        config = (f"[tiles]\nslots = {slots}\n[device]\nqueues = {queues}\nbatch = {BATCH}\n"
                  f"assembly = \"{self.assembly}\"\n[sim]\ncopy_rate = {copy_rate}\n"
                  f"launch_latency = {self.launch_s}\nmemory = \"{self.memory_bytes // 1024}K\"\n")
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

    def overlap(self):
        """Wall time by the slowest stage, and by the wall time with one queue and one tile."""
        rate = self.copy_rate(ORDERS[0], 1)
        wall, stages = self.correct(SLOTS, SLOTS, rate)
        tell(stages, wall)
        return wall / max(stages.values()), self.correct(1, 1, rate)[0] / wall

    def serial_bar(self):
        """With design matrices from the host two stages are alike, not three: no more than that can be gained."""
        if self.assembly == "device":
            return f"bar: >= {BARS['serial']}"
        out = DATES * 2 * 4 / (DATES * 2 * 4 + design_bytes(ORDERS[0]))
        return f"no bar: two stages are alike, which gives {2 + out:.2f} at most"

    def unknowns(self):
        """What twice the unknowns change."""
        rate = self.copy_rate(ORDERS[1], HIDDEN_SHARE)
        few, stages = self.correct(SLOTS, SLOTS, rate)
        tell(stages, few)
        many, stages = self.correct(SLOTS, SLOTS, rate, ORDERS[1])
        tell(stages, many)
        return many / few - 1


def tell(stages, wall):
    print("  " + ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in stages.items()) + f", wall {wall:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--tiles", type=int, default=140)
    parser.add_argument("--solver", default="structured", choices=("structured", "batched"))
    parser.add_argument("--assembly", default="device", choices=("device", "host"), help="who forms design matrices")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if options.assembly == "host" and options.solver != "batched":
        parser.error("the structured solver forms no design matrices: --assembly host wants --solver batched")
    program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    folder = simulate(program, work, options.tiles)
    bench = Bench(program, folder, options.tiles, options.solver, options.assembly)
    overlaps = [bench.overlap() for _ in range(options.repeats)]
    results = {"overlap": statistics.median(o for o, _ in overlaps), "serial": statistics.median(s for _, s in overlaps)}
    print(f"wall / slowest stage               {results['overlap']:.3f} (bar: <= {BARS['overlap']})")
    print(f"one queue and one tile / many      {results['serial']:.2f} ({bench.serial_bar()})")
    if options.assembly == "host":
        results["unknowns"] = statistics.median(bench.unknowns() for _ in range(options.repeats))
        print(f"twice the unknowns changes wall by {100 * results['unknowns']:.1f} % "
              f"(bar: < {100 * BARS['unknowns']:.0f} %)")
    results["load"] = os.getloadavg()
    print(f"load average {results['load'][0]:.1f}")
    with open(os.path.join(work, f"device-{options.solver}-{options.assembly}.json"), "w") as file:
        json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
