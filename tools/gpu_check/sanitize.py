"""Runs both steps with both solvers under compute-sanitizer, which sees wrong accesses on the device."""
import os
import shutil

from gpu_check.commands import Failed, outcome, run, tail
from gpu_check.compare import CORRECT, INVERT
from gpu_check.outcrop import BATCHED, HOST, STRUCTURED, check_place, name_of, read_json

FOUND = 9  # exit code of the sanitizer when it found something
LIMIT_S = 120  # it slows the device a lot

# initcheck also reports padding and the like: what it finds is recorded, and is no problem by itself.
TOOLS = {"memcheck": ["--leak-check", "full"], "initcheck": []}
SCENE = ["--rows", 12, "--cols", 17, "--dates", 12, "--nan", "0.4", "--clusters", "2", "--bperp3d"]


def find_sanitizer():
    homes = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders = [os.path.join(home, "bin") for home in (*homes, "/usr/local/cuda") if home]
    return shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=os.pathsep.join(folders))


def sanitize(outcrop, record, budget):
    sanitizer = find_sanitizer()
    if not sanitizer:
        record.leave_out("compute-sanitizer", "it is not on this machine")
        return
    scene = outcrop.simulate(budget, "sanitized", *SCENE)
    outcrop.step(budget, scene, INVERT, HOST, STRUCTURED)
    for tool in TOOLS:
        for command in (INVERT, CORRECT):
            for variant in (STRUCTURED, BATCHED):
                with record.attempt(f"{tool} of {command[0]}, {name_of(variant)}"):
                    sanitize_one(outcrop, record, budget, (sanitizer, tool, scene), command, variant)


def sanitize_one(outcrop, record, budget, where, command, variant):
    sanitizer, tool, scene = where
    report = os.path.join(scene, "run.json")
    with outcrop.hanging(outcrop.device, variant):
        ended = run([sanitizer, "--tool", tool, "--error-exitcode", FOUND, *TOOLS[tool], outcrop.program, *command,
                     *outcrop.flags(outcrop.device, variant), "--report", report], budget, scene, LIMIT_S)
    record.found["sanitizer"].append({"tool": tool, "step": command[0], "solver": variant[0], "exit": ended.code,
                                      "seconds": round(ended.seconds, 2), "output": tail(ended.text, 3000)})
    if ended.code == 0:
        check_place(read_json(report), outcrop.device, variant)
    elif tool == "memcheck":
        what = "it found something" if ended.code == FOUND else outcome(ended)
        raise Failed(f"{what}\n{tail(ended.text)}")
