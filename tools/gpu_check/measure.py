"""Measures both steps with each solver and assembly on scenes of several sizes, on the device and on the host."""
import json
import os
import shutil
from collections import namedtuple

from gpu_check.commands import Failed, LeftOut, tail
from gpu_check.outcrop import BATCHED, HOST, STRUCTURED, VARIANTS, name_of, read_json

Scene = namedtuple("Scene", "rows cols dates pairs_per_date")
SCENES = [Scene(100, 150, 20, 3), Scene(200, 300, 20, 3), Scene(400, 500, 40, 3), Scene(400, 500, 98, 5),
          Scene(800, 1000, 98, 3)]
QUICK_SCENES = SCENES[:2]

STEPS = {"invert-network": ["invert-network", "inputs/ifgramStack.h5"],
         "correct-topography": ["correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5"]}

REPEATS = 3
LIMIT_S = 120
FIRST_GUESS_S = 1.0  # of a kind of run of which none was measured


def stored_bytes(scene):
    """Of inputs and products."""
    pairs = scene.dates * scene.pairs_per_date
    return 4 * scene.rows * scene.cols * (2 * pairs + 5 * scene.dates)


def union_s(spans):
    """Seconds that at least one of the spans covers."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


def spans_of(trace):
    """Of each stage, start and end [s]."""
    spans = {}
    for event in trace["traceEvents"]:
        if event.get("ph") == "X":
            spans.setdefault(event["name"], []).append((event["ts"] * 1e-6, (event["ts"] + event["dur"]) * 1e-6))
    if not spans:
        raise Failed("its trace is empty")
    return spans


def sample_of(report, trace):
    """What a run took, by stage: seconds in which at least one tile was in the stage."""
    spans = spans_of(trace)
    busy = {stage: union_s(parts) for stage, parts in spans.items()}
    whole = union_s([span for parts in spans.values() for span in parts]) or 1e-9
    pixels, problem = report["pixels"]["total"], report["problem"]
    return {"step": report["step"], "solver": report["device"]["solver"], "assembly": report["device"]["assembly"],
            "device": report["device"]["name"], "K": pixels, "D": problem["dates"], "M": problem["pairs"],
            "P": problem["parameters"], "wall_s": report["wall_s"], "us_per_pixel": 1e6 * busy.get("solve", 0) / pixels,
            "us_per_pixel_wall": 1e6 * report["wall_s"] / pixels, "stage_s": busy,
            "slowest_stage_s": max(busy.values()), "stages_wall_s": whole, "overlap": sum(busy.values()) / whole,
            "overlap_efficiency": max(busy.values()) / whole, "bytes_per_s": rates_of_copies(report, busy),
            "tiles": report["tiles"], "slots": report["tiles"]["slots"], "queues": report["device"]["queues"],
            "threads": report["threads"]}


def rates_of_copies(report, busy):
    return {stage: report["stages"][stage]["bytes"] / busy[stage] for stage in ("copy_in", "copy_out")
            if busy.get(stage)}


class Measuring:
    def __init__(self, outcrop, record, budget, repeats=REPEATS):
        self.outcrop, self.record, self.budget, self.repeats = outcrop, record, budget, repeats
        self.rates = {}  # seconds for each unit of work of a kind of run, and of simulate for each byte

    def machine(self):
        """Rates of host and device, so that the reports of the runs say how well their times are predicted."""
        path = os.path.join(self.outcrop.folder, "machine.toml")
        flags = ["--quick", "--cached", "--device", self.outcrop.device, "--storage", self.outcrop.folder]
        self.outcrop.must(self.budget, self.outcrop.folder, "measure", *flags, "-q", "-o", path, limit=LIMIT_S)
        with open(path, encoding="utf-8", errors="replace") as file:
            self.record.keep_machine_file(file.read())
        self.outcrop.machine_file = path

    def scenes(self, scenes):
        with self.record.attempt("rates of this machine"):
            self.machine()
        for scene in scenes:
            what = f"{scene.rows} x {scene.cols} pixels, {scene.dates} dates, {scene.pairs_per_date} pairs a date"
            with self.record.attempt(what):
                self.scene(what, scene)
            shutil.rmtree(os.path.join(self.outcrop.folder, "measured"), ignore_errors=True)
            self.record.write()

    def scene(self, what, scene):
        folder = self.simulate(scene)
        for step in STEPS:
            for device, variants in ((self.outcrop.device, VARIANTS), (HOST, (STRUCTURED, BATCHED))):
                for variant in variants:
                    with self.record.attempt(f"{what}: {step} {name_of(variant)} on {device}"):
                        self.measure(folder, scene, step, device, variant)

    def simulate(self, scene):
        size = stored_bytes(scene)
        if shutil.disk_usage(self.outcrop.folder).free < 2 * size:
            raise LeftOut(f"less than {2 * size / 1e9:.1f} GB are free in {self.outcrop.folder}")
        if size * self.rates.get("simulate", 0) > self.budget.left() / 3:
            raise LeftOut("too large for the time that was left")
        before = self.budget.left()
        flags = ["--rows", scene.rows, "--cols", scene.cols, "--dates", scene.dates, "--pairs-per-date",
                 scene.pairs_per_date, "--bperp3d"]
        folder = self.outcrop.simulate(self.budget, "measured", *flags, limit=LIMIT_S)
        self.rates["simulate"] = (before - self.budget.left()) / size
        return folder

    def measure(self, folder, scene, step, device, variant):
        """The run of median wall time is the sample."""
        kind, work = (step, device, variant), work_of(scene, step, variant)
        repeats = self.repeats_for(work * self.rates[kind] if kind in self.rates else FIRST_GUESS_S)
        command, samples = [*STEPS[step], "--trace", "trace.json"], []
        batch = self.batch(folder, step, device, variant)
        for number in range(repeats):
            report = self.outcrop.step(self.budget, folder, command, device, variant, LIMIT_S)
            samples.append(self.sample(report, os.path.join(folder, "trace.json")))
            self.record.keep_report(report_name(samples[-1], device, number), report)
        samples.sort(key=lambda s: s["wall_s"])
        median = samples[len(samples) // 2]
        self.rates[kind] = median["wall_s"] / work
        self.record.found["samples"].append({**median, "batch": batch, "repeats": repeats,
                                             "wall_s_of_each": [s["wall_s"] for s in samples]})

    def repeats_for(self, expected_s):
        left = self.budget.left()
        if self.repeats * expected_s < 0.15 * left:
            return self.repeats
        if expected_s > 0.5 * left:
            raise LeftOut(f"{expected_s:.1f} s expected, too long for the time that was left")
        return 1

    def sample(self, report, trace):
        try:
            return sample_of(report, read_json(trace))
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise Failed(f"its report or trace lacks something: {type(error).__name__}: {error}") from None

    def batch(self, folder, step, device, variant):
        """Pixels of a batch, which the plan knows."""
        flags = self.outcrop.flags(device, variant)
        with self.outcrop.hanging(device, variant):
            text = self.outcrop.must(self.budget, folder, *STEPS[step], *flags, "--plan=json")
        try:
            return json.loads(text[text.index("{"):text.rindex("}") + 1])["device"]["batch"]
        except (KeyError, TypeError, ValueError):
            raise Failed(f"the plan cannot be read:\n{tail(text)}") from None


def work_of(scene, step, variant):
    """Grows as the time of a run does, roughly: to tell what a larger scene will take."""
    pixels, pairs = scene.rows * scene.cols, scene.dates * scene.pairs_per_date
    if step == "correct-topography":
        return pixels * scene.dates
    return pixels * pairs * (scene.dates**2 if variant != STRUCTURED else 1)


def report_name(sample, device, number):
    place = device.replace(":", "-")
    return f"{sample['step']}-{sample['solver']}-{sample['assembly']}-{place}-K{sample['K']}-D{sample['D']}-" \
           f"M{sample['M']}-{number + 1}"
