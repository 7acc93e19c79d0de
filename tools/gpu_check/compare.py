"""Compares the device with the host: golden cases, scenes with holes and cut networks, models without one answer."""
import json
import os
import shutil
import sys

from gpu_check.commands import Failed, outcome, run, tail
from gpu_check.outcrop import BATCHED, HOST, STRUCTURED, VARIANTS, name_of

TOLERANCE = "1e-6"  # of device against host, relative to the largest value: rounding
STACK, GEOMETRY = "inputs/ifgramStack.h5", ["-g", "inputs/geometryRadar.h5"]
INVERT = ["invert-network", STACK, "--min-redun", "0", "--status-file", "status.h5"]
CORRECT = ["correct-topography", "timeseries.h5", *GEOMETRY]

# flags of simulate that spoil pixels
SPOILT = [["--clusters", "2", "--nan", "0.4"], ["--nan", "0.3"], ["--nan", "0.6"], ["--clusters", "3"],
          ["--cut-frac", "0.3", "--isolate-frac", "0.2"], ["--zero-block", "7", "23", "11", "40"]]

# flags of correct-topography whose columns depend on each other at the dates of simulate, from 2015 on
DEPENDENT = [["-s", "20140101"], ["-s", "20150301", "20150301"], ["--periodic", "1.0", "1.0"], ["-s", "20300101"]]

# A third of the pixels has the baseline of one date at all dates, a third one that grows steadily.
CONSTANT_BASELINES = """
import sys, h5py
with h5py.File(sys.argv[1], "r+") as file:
    baselines = file["bperp"]
    third = baselines.shape[2] // 3
    for date in range(baselines.shape[0]):
        baselines[date, :, :third] = 50
        baselines[date, :, third:2 * third] = 3 * date
"""


class Comparison:
    def __init__(self, outcrop, record, budget):
        self.outcrop, self.record, self.budget = outcrop, record, budget

    def all_variants(self, what, scene, command, variants=tuple(VARIANTS)):
        """The host once and the device in each variant. Gives the host's folder; None when the host failed."""
        host = None
        with self.record.attempt(f"{what} on the host"):
            host = self.run_in_copy("host", scene, command, HOST, STRUCTURED)
        for variant in variants if host else ():
            with self.record.attempt(f"{what}, {name_of(variant)}"):
                self.compare(host, self.run_in_copy("device", scene, command, self.outcrop.device, variant), scene)
                self.record.found["compared"] += 1
        return host and host[0]

    def run_in_copy(self, name, scene, command, device, variant):
        """Gives the folder and the run's count of pixels of each kind."""
        folder = os.path.join(self.outcrop.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(scene, folder)
        report = self.outcrop.step(self.budget, folder, command, device, variant)
        return folder, report.get("pixels")

    def compare(self, host, device, scene):
        differences = []
        if host[1] != device[1]:
            differences.append(f"pixels are {device[1]}, on the host {host[1]}")
        products = sorted(n for n in os.listdir(host[0]) if n.endswith(".h5") and n not in os.listdir(scene))
        for name in products:
            paths = [os.path.join(folder, name) for folder in (host[0], device[0])]
            ended = run([self.outcrop.program, "compare", *paths, "--tol", TOLERANCE], self.budget)
            if ended.code:
                differences.append(f"{name} differs from the host's: {outcome(ended)}\n{tail(ended.text)}")
        if differences or not products:
            raise Failed("\n".join(differences) or "the host's run wrote nothing")

    def spoilt(self, most):
        for number, flags in enumerate(SPOILT[:most]):
            with self.record.attempt(f"scene {' '.join(flags)}"):
                self.spoilt_scene(f"scene {' '.join(flags)}", self.scene("spoilt", number, *flags))

    def scene(self, name, seed, *flags):
        size = ["--rows", 61, "--cols", 83, "--dates", 24, "--seed", seed, "--bperp3d"]
        shutil.rmtree(os.path.join(self.outcrop.folder, name), ignore_errors=True)
        return self.outcrop.simulate(self.budget, name, *size, *flags)

    def spoilt_scene(self, what, scene):
        self.all_variants(f"both steps of {what}", scene, [*INVERT, "--then", "correct-topography", *GEOMETRY])
        inverted = self.all_variants(what, scene, INVERT)
        if inverted:
            os.rename(inverted, f"{scene}-inverted")
            self.all_variants(f"DEM error of {what}", f"{scene}-inverted", CORRECT)
            shutil.rmtree(f"{scene}-inverted")

    def spoilt_models(self, most):
        """Scenes whose DEM error, or whose motion, has no single answer."""
        with self.record.attempt("DEM errors without one answer"):
            scene = self.scene("models", 1)
            self.outcrop.step(self.budget, scene, INVERT, HOST, STRUCTURED)
            for flags in DEPENDENT[:most]:
                self.all_variants(f"DEM error with {' '.join(flags)}", scene, [*CORRECT, *flags])
            if self.spoil_baselines(scene):
                self.all_variants("DEM error of constant and of growing baselines", scene, CORRECT)

    def spoil_baselines(self, scene):
        for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
            if os.path.exists(python) and not run([python, "-c", "import h5py"], self.budget).code:
                ended = run([python, "-c", CONSTANT_BASELINES, os.path.join(scene, GEOMETRY[1])], self.budget)
                if ended.code:
                    raise Failed(f"giving pixels constant baselines: {outcome(ended)}\n{tail(ended.text)}")
                return True
        self.record.leave_out("DEM error of constant and of growing baselines", "this Python has no h5py")
        return False

    def golden(self, cases, most):
        """Every run of every case, or of a case one run where `most` is small."""
        for step, file, omitted in (("invert-network", "runs.json", "expected"),
                                    ("correct-topography", "topography.json", None)):
            with_runs = [c for c in sorted(os.listdir(cases)) if os.path.exists(os.path.join(cases, c, file))]
            for case in with_runs[:most]:
                with open(os.path.join(cases, case, file), encoding="utf-8") as text:
                    runs = json.load(text)
                for name, arguments in list(runs.items())[:most]:
                    self.golden_run(f"golden case {case}, {step} {name}", os.path.join(cases, case), omitted,
                                    [step, *arguments.split()])

    def golden_run(self, what, case, omitted, command):
        scene = os.path.join(self.outcrop.folder, "golden")
        shutil.rmtree(scene, ignore_errors=True)
        shutil.copytree(case, scene, ignore=shutil.ignore_patterns(omitted) if omitted else None)
        self.all_variants(what, scene, command, (STRUCTURED, BATCHED))
