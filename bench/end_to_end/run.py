#!/usr/bin/env python3
"""Runs `outcrop invert-network` on scenes of more than 2 GB and prints what bounds it: wall time against the machine's
limits (P3), memory caps (P4), threads (P5) and the time to the first read (P8). Every part is printed, and all of it
goes to results.json in the work folder. Usage: run.py --build DIR --work DIR [--rows N] [--only P3,P4,P5,P8]"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import time

COLS, DATES, PAIRS_PER_DATE = 1000, 98, 5
STORAGES = {
    "contiguous": ["--chunks", "none"],
    "uncompressed chunks": ["--chunks", "auto", "--compression", "none"],
    "lzf": ["--chunks", "auto", "--compression", "lzf"],
    "gzip + shuffle": ["--chunks", "auto", "--compression", "gzip+shuffle"],
}
PRODUCTS = {
    "invert-network": ("timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5"),
    "correct-topography": ("timeseries_demErr.h5", "packed_demErr.h5", "timeseriesResidual.h5", "demErr.h5"),
}
BARS = {"P3": "<= 1.3", "P4": ">= 0.9", "P5": ">= 1.8", "P8": "<= 0.15 s"}


def table(title, rows):
    print(f"\n{title}")
    for name, value in rows:
        print(f"  {name:<44} {value}")


def gigabytes(rate):
    return f"{rate / 1e9:.2f} GB/s"


class Bench:
    step = ["invert-network", "inputs/ifgramStack.h5"]
    inputs = ["inputs/ifgramStack.h5"]
    confined = []  # words before the command, that keep it to some processors

    def __init__(self, options):
        self.program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
        self.limits_program = os.path.abspath(os.path.join(options.build, "bin", "bench_limits"))
        self.work = os.path.abspath(options.work)
        self.rows = options.rows
        self.repeats = options.repeats
        self.threads = len(os.sched_getaffinity(0))
        self.results = {"threads": self.threads, "load_before": os.getloadavg()}
        os.makedirs(self.work, exist_ok=True)

    def scene(self, name, arguments):
        """Folder of a scene, made when it is not there."""
        folder = os.path.join(self.work, name.replace(" ", "-").replace("+", "and"))
        if not os.path.exists(os.path.join(folder, "truth.h5")):
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([self.program, "simulate", folder, "-q", *map(str, arguments)], check=True)
        return folder

    def large_scene(self, storage, rows=None):
        rows = rows or self.rows
        return self.scene(f"{storage} {rows}", ["--rows", rows, "--cols", COLS, "--dates", DATES, "--pairs-per-date",
                                                PAIRS_PER_DATE, "--nan", 0.02, *STORAGES[storage]])

    def run(self, folder, *arguments):
        """The run's report, with wall time and peak memory as the caller sees them. Former products are removed before:
        to free a large file that a rename would replace takes as long as writing it."""
        for name in (name for step in self.step for name in PRODUCTS.get(step, ())):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        report = os.path.join(folder, "report.json")
        command = [self.program, *map(str, self.step), "-q", "--progress", "none", "--report", report,
                   *map(str, arguments)]
        start = time.monotonic()
        process = subprocess.Popen(self.confined + command, cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
        with open(report) as file:
            found = json.load(file)
        found.update(seen_wall_s=wall, seen_peak_rss_bytes=usage.ru_maxrss * 1024,
                     cpu_s=usage.ru_utime + usage.ru_stime)
        return found

    def run_cold(self, folder):
        """Wall time of a run whose inputs are not in the page cache."""
        for name in self.inputs:
            with open(os.path.join(folder, name), "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return self.run(folder)["seen_wall_s"]

    def alternating(self, folder, *variants):
        """Reports of each variant's runs, A B A B, after one run that fills the page cache."""
        self.run(folder, *variants[0])
        reports = [[] for _ in variants]
        for _ in range(self.repeats):
            for i, arguments in enumerate(variants):
                reports[i].append(self.run(folder, *arguments))
        return reports

    def limits(self, folder, tiles):
        arguments = [tiles["rows"], tiles["cols"], self.threads, folder,
                     *(os.path.join(folder, name) for name in self.inputs)]
        text = subprocess.run([self.limits_program, *map(str, arguments)], check=True, capture_output=True,
                              text=True).stdout
        return json.loads(text)

    def p3(self):
        for storage in STORAGES:
            self.against_limits(f"P3 {storage}", self.large_scene(storage))

    def against_limits(self, title, folder):
        runs, = self.alternating(folder, [])
        limits = self.limits(folder, runs[0]["tiles"])
        cold = [self.run_cold(folder) for _ in range(self.repeats)]
        wall = statistics.median(run["seen_wall_s"] for run in runs)
        cpu = limits["decode_cpu_s"] + limits["solve_cpu_s"]
        terms = {
            "in / cached read rate": limits["needed_bytes"] / limits["cached_read_bytes_per_s"],
            "out / synchronised write rate": limits["output_bytes"] / limits["synchronised_write_bytes_per_s"],
            "3 x decoded / memory read rate": 3 * limits["decoded_bytes"] / limits["memory_read_bytes_per_s"],
            "(decode + solve) cpu / threads": cpu / self.threads,
        }
        bound = max(terms.values())
        cold_term = limits["needed_bytes"] / limits["cold_read_bytes_per_s"]
        cold_wall = statistics.median(cold)
        self.results[title] = {"wall_s": wall, "T_s": bound, "terms": terms, "limits": limits, "runs": runs,
                               "cold_walls_s": cold}
        stages = runs[0]["stages"]
        volume = f"{limits['needed_bytes'] / 1e9:.2f} GB in, {limits['output_bytes'] / 1e9:.2f} GB out"
        table(f"{title}: {volume}", [
            ("memory read, copy", f"{gigabytes(limits['memory_read_bytes_per_s'])}, "
                                  f"{gigabytes(limits['memory_copy_bytes_per_s'])}"),
            ("cached read, one thread, cold", ", ".join(gigabytes(limits[f"{kind}_bytes_per_s"]) for kind in
                                                        ("cached_read", "cached_read_1_thread", "cold_read"))),
            ("write and fdatasync", gigabytes(limits["synchronised_write_bytes_per_s"])),
            ("fetch, decode, solve cpu, outside", f"{limits['fetch_cpu_s']:.2f} s, {limits['decode_cpu_s']:.2f} s, "
                                                  f"{limits['solve_cpu_s']:.2f} s"),
            *((f"{name} cpu, busy in the run", f"{stage['cpu_s']:.2f} s, {stage['busy_s']:.2f} s")
              for name, stage in stages.items()),
            *((f"term: {name}", f"{value:.2f} s") for name, value in terms.items()),
            ("wall, each run", ", ".join(f"{run['seen_wall_s']:.2f} s" for run in runs)),
            ("wall, each run, page cache cold", ", ".join(f"{seconds:.2f} s" for seconds in cold)),
            ("term: in / cold read rate", f"{cold_term:.2f} s"),
            ("cpu of the whole run / threads", f"{runs[0]['cpu_s'] / self.threads:.2f} s"),
            (f"wall / T (bar {BARS['P3']})", f"{wall:.2f} / {bound:.2f} = {wall / bound:.2f}"),
            ("wall / T, page cache cold", f"{cold_wall:.2f} / {max(bound, cold_term):.2f} = "
                                          f"{cold_wall / max(bound, cold_term):.2f}"),
        ])

    def p4(self):
        self.under_caps("P4 memory", self.large_scene("contiguous", max(self.rows, 1200)))  # more than 8 x 512 MiB

    def under_caps(self, title, folder):
        small, large = self.alternating(folder, ["--memory", "512M"], ["--memory", "4G"])
        peak = max(run["seen_peak_rss_bytes"] for run in small)
        walls = [statistics.median(run["seen_wall_s"] for run in runs) for runs in (small, large)]
        self.results[title] = {"peak_rss_bytes": peak, "wall_512M_s": walls[0], "wall_4G_s": walls[1]}
        table(title, [
            ("bytes read", f"{small[0]['bytes']['read'] / 2**30:.2f} GiB"),
            ("peak resident, cap 512 MiB", f"{peak / 2**20:.0f} MiB (bar <= 512)"),
            ("tiles under 512 MiB and 4 GiB", f"{small[0]['tiles']} {large[0]['tiles']}"),
            ("wall 512 MiB", f"{walls[0]:.2f} s"),
            ("wall 4 GiB", f"{walls[1]:.2f} s"),
            (f"speed under 512 MiB / under 4 GiB (bar {BARS['P4']})", f"{walls[1] / walls[0]:.2f}"),
        ])

    def p5(self):
        for storage in ("contiguous", "gzip + shuffle"):
            self.with_threads(f"P5 threads, {storage}", self.large_scene(storage))

    def with_threads(self, title, folder):
        """One worker leaves the other processor to the threads that read and write; one processor has all the work."""
        one, two = self.alternating(folder, ["--threads", "1"], ["--threads", "2"])
        self.confined = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
        confined, = self.alternating(folder, ["--threads", "1"])
        self.confined = []
        walls = [statistics.median(run["seen_wall_s"] for run in runs) for runs in (one, two, confined)]
        self.results[title] = {"wall_1_s": walls[0], "wall_2_s": walls[1], "wall_1_processor_s": walls[2]}
        table(title, [
            ("bottleneck", f"{one[0]['bottleneck']}, {two[0]['bottleneck']}"),
            ("cpu, 1 and 2 threads, 1 processor", ", ".join(f"{runs[0]['cpu_s']:.2f} s" for runs in (one, two, confined))),
            ("wall, 1 thread", f"{walls[0]:.2f} s"),
            ("wall, 1 thread, kept to 1 processor", f"{walls[2]:.2f} s"),
            ("wall, 2 threads", f"{walls[1]:.2f} s"),
            (f"2 threads / 1 thread (bar {BARS['P5']} where compute bounds)", f"{walls[0] / walls[1]:.2f}"),
            ("2 processors / 1 processor", f"{walls[2] / walls[1]:.2f}"),
        ])

    def p8(self):
        folder = self.scene("many chunks", ["--rows", 176, "--cols", 176, "--dates", 103, "--pairs-per-date", 5,
                                            "--chunks", "16,8,8"])
        runs, = self.alternating(folder, [])
        starts = sorted(run["start_s"] for run in runs)
        self.results["P8"] = {"start_s": starts}
        table("P8 start: 500 pairs, 2 x 32 x 22 x 22 = 30,976 chunks", [
            ("exec to first read, each run", ", ".join(f"{s:.3f} s" for s in starts)),
            (f"median (bar {BARS['P8']})", f"{statistics.median(starts):.3f} s"),
        ])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build folder with OUTCROP_BENCH=ON")
    parser.add_argument("--work", required=True, help="folder for scenes, which are kept, and results")
    parser.add_argument("--rows", type=int, default=600, help="rows of the scenes; 600 make 2.3 GB")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="P3,P4,P5,P8")
    options = parser.parse_args()
    bench = Bench(options)
    print(f"{bench.threads} processors, load average {bench.results['load_before'][0]:.2f}")
    for part in options.only.split(","):
        getattr(bench, part.lower())()
    bench.results["load_after"] = os.getloadavg()
    with open(os.path.join(bench.work, "results.json"), "w") as file:
        json.dump(bench.results, file, indent=1)


if __name__ == "__main__":
    main()
