#!/usr/bin/env python3
"""Runs `outcrop correct-topography` on a series of more than 2 GB with baselines of the pixel, against the machine's limits
(P3), under memory caps (P4) and with one and two threads (P5); and `invert-network --then correct-topography` against the
inversion alone. Usage: topography.py --build DIR --work DIR [--only P3,P4,P5,then]"""
import argparse
import json
import os
import statistics
import time

import h5py
from packed import pack
from run import DATES, Bench, table

ROWS, COLS = 2900, 1000  # 1.1 GB of series and 1.1 GB of baselines
FUSED_CAP = "512M"
MANY_COLUMNS = ("--poly-order", 3, "--periodic", 1, 0.5, 0.33, 0.25, 0.2, 0.17, 0.14, 0.125)


class Topography(Bench):
    step = ["correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5"]
    inputs = ["timeseries.h5", "inputs/geometryRadar.h5"]

    def series(self, rows=ROWS, kind="topography", storage=("--chunks", "none")):
        """Each date with the next one only: the stack is not what is measured."""
        folder = self.scene(f"{kind} {rows}", ["--rows", rows, "--cols", COLS, "--dates", DATES, "--pairs-per-date", 1,
                                               "--bperp3d", *storage])
        if not os.path.exists(os.path.join(folder, "timeseries.h5")):
            self.other(folder, "invert-network", "inputs/ifgramStack.h5")
        return folder

    def other(self, folder, *command):
        """The report of another command in the scene."""
        step, self.step = self.step, command
        try:
            return self.run(folder)
        finally:
            self.step = step

    def p3(self):
        self.against_limits("P3 correct-topography, contiguous", self.series())

    def p4(self):
        self.under_caps("P4 correct-topography, memory", self.series(2 * ROWS))  # 8.5 x 512 MiB

    def p5(self):
        self.with_threads("P5 correct-topography, contiguous (writing bounds)", self.series())
        step = self.step
        self.step = [*step, "--residual-file", "no"]
        packed = self.series(ROWS, "topography gzip", ("--chunks", "auto", "--compression", "gzip"))
        self.with_threads("P5 correct-topography, baselines gzip, without residuals", packed)
        self.step[1] = self.packed_series(packed)
        self.with_threads("P5 correct-topography, all inputs gzip (decoding bounds), without residuals", packed)
        self.step[1] = step[1]
        self.step = [*self.step, "--solver", "batched", *MANY_COLUMNS]
        self.with_threads("P5 correct-topography, batched, 21 columns (solving bounds), without residuals", self.series())
        self.step = step

    def packed_series(self, folder):
        """A copy of the series, packed like the baselines; its name."""
        name = "packed.h5"
        if os.path.exists(os.path.join(folder, name)):
            return name
        with h5py.File(os.path.join(folder, "inputs/geometryRadar.h5"), "r") as geometry:
            like = geometry["bperp"]
            pack(os.path.join(folder, "timeseries.h5"), os.path.join(folder, name), chunks=like.chunks,
                 compression=like.compression, shuffle=like.shuffle)
        return name

    def then(self):
        """Bar: wall of both in one pass <= 1.1 x (the inversion alone + writing the extra outputs)."""
        folder = self.scene("fused 600", ["--rows", 600, "--cols", COLS, "--dates", DATES, "--pairs-per-date", 5,
                                          "--bperp3d", "--chunks", "none"])
        invert = ("invert-network", "inputs/ifgramStack.h5", "--memory", FUSED_CAP)
        both = (*invert, "--then", "correct-topography", "-g", "inputs/geometryRadar.h5")
        self.other(folder, *both)
        alone, fused, writing = [], [], []
        for _ in range(self.repeats):
            alone.append(self.other(folder, *invert))
            fused.append(self.other(folder, *both))
            writing.append(self.write_like(folder, ("timeseries_demErr.h5", "timeseriesResidual.h5", "demErr.h5")))
        walls = [statistics.median(run["seen_wall_s"] for run in runs) for runs in (alone, fused)]
        extra = statistics.median(writing)
        geometry = fused[0]["bytes"]["read"] - alone[0]["bytes"]["read"]
        self.results["then"] = {"invert_wall_s": walls[0], "fused_wall_s": walls[1], "extra_write_s": extra}
        table(f"both steps in one pass, cap {FUSED_CAP}", [
            ("bytes read alone, fused, of it geometry", f"{alone[0]['bytes']['read']:,} {fused[0]['bytes']['read']:,} "
                                                        f"{geometry:,}"),
            ("peak resident", f"{max(run['seen_peak_rss_bytes'] for run in fused) / 2**20:.0f} MiB"),
            ("cpu, alone and fused", f"{alone[0]['cpu_s']:.2f} s, {fused[0]['cpu_s']:.2f} s"),
            ("wall, inversion alone", f"{walls[0]:.2f} s"),
            ("writing the extra outputs", f"{extra:.2f} s"),
            ("wall, both in one pass", f"{walls[1]:.2f} s"),
            ("ratio (bar <= 1.1)", f"{walls[1] / (walls[0] + extra):.2f}"),
        ])

    def write_like(self, folder, names):
        """Seconds to write and synchronise files as large as these."""
        sizes = [os.path.getsize(os.path.join(folder, name)) for name in names]
        block = b"\1" * (1 << 20)
        target = os.path.join(folder, "written")
        start = time.monotonic()
        for size in sizes:
            with open(target, "wb") as file:
                for _ in range(size // len(block)):
                    file.write(block)
                os.fsync(file.fileno())
        elapsed = time.monotonic() - start
        os.remove(target)
        return elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build folder with OUTCROP_BENCH=ON")
    parser.add_argument("--work", required=True, help="folder for scenes, which are kept, and results")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="P3,P4,P5,then")
    options = parser.parse_args()
    options.rows = ROWS
    bench = Topography(options)
    print(f"{bench.threads} processors, load average {bench.results['load_before'][0]:.2f}")
    for part in options.only.split(","):
        getattr(bench, part.lower())()
    with open(os.path.join(bench.work, "results-topography.json"), "w", encoding="utf-8") as file:
        json.dump(bench.results, file, indent=1)


if __name__ == "__main__":
    main()
