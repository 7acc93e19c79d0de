"""Runs outcrop's steps on the host and on the device, and sees to it that they ran where they were asked to."""
import contextlib
import json
import os

from gpu_check.commands import Failed, Hung, LeftOut, outcome, run, tail

HOST = "cpu"

# solver and who forms its design matrices
STRUCTURED, BATCHED = ("structured", "none"), ("batched", "device")
VARIANTS = [STRUCTURED, BATCHED, ("batched", "host")]


def name_of(variant):
    solver, assembly = variant
    return solver if assembly == "none" else f"{solver}, assembled by the {assembly}"


def read_json(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Failed(f"{os.path.basename(path)} cannot be read: {error}") from None


class Outcrop:
    def __init__(self, program, device, folder):
        self.program, self.device, self.folder = program, device, folder
        self.hung = set()  # device and variant
        self.machine_file = None  # whose rates the plans predict with; the built-in one when there is none

    def flags(self, device, variant):
        solver, assembly = variant
        text = f'[machine]\nfile = "{self.machine_file}"\n' if self.machine_file else ""
        if device != HOST and assembly != "none":
            text += f'[device]\nassembly = "{assembly}"\n'
        path = os.path.join(self.folder, f"assembly-{assembly}.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return ["--device", device, "--progress", "none", "--solver", solver, "--config", path]

    @contextlib.contextmanager
    def hanging(self, device, variant):
        """What hung once is not waited for again."""
        if (device, variant) in self.hung:
            raise LeftOut("this solver hung before")
        try:
            yield
        except Hung:
            self.hung.add((device, variant))
            raise

    def simulate(self, budget, name, *flags, limit=60):
        scene = os.path.join(self.folder, name)
        self.must(budget, self.folder, "simulate", scene, "-q", *flags, limit=limit)
        return scene

    def must(self, budget, cwd, *arguments, limit=60):
        ended = run([self.program, *arguments], budget, cwd, limit)
        if ended.code:
            raise Failed(f"outcrop {arguments[0]}: {outcome(ended)}\n{tail(ended.text)}")
        return ended.text

    def step(self, budget, cwd, command, device, variant, limit=60):
        """Runs a step. Gives its report."""
        path = os.path.join(cwd, "run.json")
        if os.path.exists(path):
            os.remove(path)
        with self.hanging(device, variant):
            self.must(budget, cwd, *command, *self.flags(device, variant), "--report", path, limit=limit)
        report = read_json(path)
        check_place(report, device, variant)
        return report


def check_place(report, device, variant):
    """A run may fall back to the host and end well: that would compare the host with itself."""
    solver, assembly = variant
    try:
        ran = report["device"]
        where, how = ran["name"], (ran["solver"], ran["assembly"])
        place = where.split()[0]  # "cuda:0 NVIDIA ..."
    except (AttributeError, IndexError, KeyError, TypeError):
        raise Failed("its report does not say where it ran") from None
    if place != device and not place.startswith(f"{device}:"):
        raise Failed(f"it ran on {where}, not on {device}")
    if how[0] != solver or device != HOST and how[1] != assembly:
        raise Failed(f"it ran {how[0]} (assembly {how[1]}), not {name_of(variant)}")
