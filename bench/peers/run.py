#!/usr/bin/env python3
"""Compares outcrop with other programs on one scene of 600 x 1000 pixels, 98 dates and 475 pairs: microseconds a pixel.

MintPy inverts only some rows and its time is divided by their pixels: it does every pixel alone, so its time grows with
their number; so do the others. What is not installed is said and left out.
Usage: run.py --build DIR --work DIR [--install] [--venv DIR] [--python FILE]
--install installs Debian's python3-mintpy and python3-torch with apt-get (as root); --venv makes this virtual environment
and installs dolphin there with pip, where that is allowed."""
import argparse
import json
import os
import subprocess
import sys
import time

ROWS, COLS, DATES, PAIRS_PER_DATE = 600, 1000, 98, 5
MINTPY_ROWS = 2

MINTPY_RUN = """
import sys, time
from mintpy.objects import ifgramStack
import mintpy
from mintpy import ifgram_inversion
stack, rows = sys.argv[1], int(sys.argv[2])
info = ifgramStack(stack); info.open(print_msg=False)
reference = info.get_reference_phase(unwDatasetName="unwrapPhase", skip_reference=True)
start = time.monotonic()
ifgram_inversion.run_ifgram_inversion_patch(stack, box=(0, 0, info.width, rows), ref_phase=reference,
    obs_ds_name="unwrapPhase", weight_func="var")
print(getattr(mintpy, "__version__", "unknown"), 1e6 * (time.monotonic() - start) / (rows * info.width))
"""

TORCH_RUN = """
import sys, time
import h5py, numpy as np, torch
stack, rows = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(len(__import__("os").sched_getaffinity(0)))
with h5py.File(stack) as f:
    phase = f["unwrapPhase"][:, :rows]; coherence = f["coherence"][:, :rows]
    dates = f["date"][:].astype(str)
names = sorted(set(dates.ravel())); at = {d: i for i, d in enumerate(names)}
design = np.zeros((len(dates), len(names)), "f4")
for k, (a, b) in enumerate(dates): design[k, at[a]] -= 1; design[k, at[b]] += 1
start = time.monotonic()
y = torch.from_numpy(np.nan_to_num(phase).reshape(len(dates), -1)); pixels = y.shape[1]
w = torch.from_numpy((coherence.reshape(len(dates), -1) ** 2) * (y.numpy() != 0))
a = torch.from_numpy(design[:, 1:])
for begin in range(0, pixels, 500):
    v = w[:, begin:begin + 500].T
    normal = torch.einsum("mi,pm,mj->pij", a, v, a)
    right = torch.einsum("mi,pm,mp->pi", a, v, y[:, begin:begin + 500])
    torch.cholesky_solve(right[..., None], torch.linalg.cholesky_ex(normal)[0])
print(torch.__version__, 1e6 * (time.monotonic() - start) / pixels)
"""

# dolphin's module of the inversion asks for GDAL, which the inversion does not use.
DOLPHIN_RUN = """
import sys, time, unittest.mock
for name in ("osgeo", "osgeo.gdal", "osgeo.gdal_array", "osgeo.gdalconst", "osgeo.osr"):
    sys.modules[name] = unittest.mock.MagicMock()
import h5py, numpy as np, dolphin
from dolphin import timeseries
stack, rows = sys.argv[1], int(sys.argv[2])
with h5py.File(stack) as f:
    phase = np.nan_to_num(f["unwrapPhase"][:, :rows, :100]); coherence = f["coherence"][:, :rows, :100]
    dates = f["date"][:].astype(str)
design = timeseries.get_incidence_matrix([tuple(pair) for pair in dates])
weights = coherence ** 2 * (phase != 0)
timeseries.invert_stack(design, phase, weights)[0].block_until_ready()  # compiles
start = time.monotonic()
timeseries.invert_stack(design, phase, weights)[0].block_until_ready()
print(dolphin.__version__, 1e6 * (time.monotonic() - start) / phase[0].size)
"""


def outcrop_time(program, folder):
    report = os.path.join(folder, "peers.json")
    command = [program, "invert-network", "inputs/ifgramStack.h5", "-q", "--progress", "none", "--report", report]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    with open(report) as file:
        found = json.load(file)
    solve = found["stages"]["solve"]["cpu_s"]
    pixels = found["pixels"]["total"]
    return found["outcrop"], 1e6 * wall / pixels, 1e6 * solve / pixels


def peer_time(python, text, stack, rows):
    """Version and microseconds a pixel, or what went wrong."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"} if "mintpy" in text else None
    done = subprocess.run([python, "-c", text, stack, str(rows)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
    version, us = done.stdout.split()[-2:]
    return version, float(us)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--venv", help="virtual environment for dolphin")
    parser.add_argument("--python", default="/usr/bin/python3", help="has mintpy, and perhaps torch")
    options = parser.parse_args()
    if options.install:
        subprocess.run(["apt-get", "install", "-y", "python3-mintpy", "python3-torch"], check=True)
    dolphin_python = os.path.join(options.venv, "bin", "python") if options.venv else options.python
    if options.venv and not os.path.exists(dolphin_python):
        subprocess.run([sys.executable, "-m", "venv", options.venv], check=True)
        subprocess.run([dolphin_python, "-m", "pip", "install", "--quiet", "dolphin"], check=True)
    program = os.path.abspath(os.path.join(options.build, "bin", "outcrop"))
    folder = os.path.abspath(os.path.join(options.work, f"contiguous-{ROWS}"))
    if not os.path.exists(os.path.join(folder, "truth.h5")):
        subprocess.run([program, "simulate", folder, "-q", "--rows", str(ROWS), "--cols", str(COLS), "--dates",
                        str(DATES), "--pairs-per-date", str(PAIRS_PER_DATE), "--nan", "0.02"], check=True)
    stack = os.path.join(folder, "inputs", "ifgramStack.h5")
    print(f"load average {os.getloadavg()[0]:.2f}; us a pixel, weighted inversion, {DATES} dates, 475 pairs")
    version, wall, solve = outcrop_time(program, folder)
    print(f"  outcrop {version}, whole run, files included      {wall:10.2f}")
    print(f"  outcrop {version}, solving, processor time        {solve:10.2f}")
    peers = (("MintPy", options.python, MINTPY_RUN, MINTPY_ROWS), ("torch Cholesky", options.python, TORCH_RUN, 20),
             ("dolphin", dolphin_python, DOLPHIN_RUN, 1))
    for name, python, text, rows in peers:
        version, us = peer_time(python, text, stack, rows)
        if version is None:
            print(f"  {name}: not measured ({us})")
        else:
            print(f"  {name} {version}, {rows} rows of {ROWS}{'':16} {us:10.1f}   {us / wall:8.0f} x")


main()
