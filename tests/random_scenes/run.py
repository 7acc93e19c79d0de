#!/usr/bin/env python3
"""Runs both steps on scenes drawn at random and compares every pixel of every product with a reference in double.

usage: run.py [--outcrop PROGRAM] [--scenes N] [--first SEED] [--seed SEED [--keep FOLDER]]

A scene that differs prints what differs and the command that repeats it. Needs numpy and h5py.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import answers
import series_scene
import stack_scene
import topography

# Of all pixels, and of the worst one, relative to the largest value of the reference.
LARGEST_RMS, LARGEST_ERROR = 1e-6, 1e-5
# Where an exact fit leaves nothing the scale is this share of the input: 1e-8 of the input, the largest error then, is
# less than what float32 leaves undecided in it.
SHARE_OF_INPUT = 1e-3
EXACT = ("date", "mask")


def difference(ours, reference, input_scale):
    """A sentence, or nothing when they agree. `input_scale`: of the input, in the unit of the values."""
    if ours.shape != reference.shape:
        return f"has the shape {ours.shape}, not {reference.shape}"
    ours, reference = ours.astype("f8"), reference.astype("f8")
    if (np.isnan(ours) != np.isnan(reference)).any():
        return f"is NaN at {np.isnan(ours).sum()} places, the reference at {np.isnan(reference).sum()}"
    error = np.abs(np.nan_to_num(ours - reference))
    scale = max(np.nanmax(np.abs(reference), initial=0), SHARE_OF_INPUT * input_scale, np.finfo("f4").tiny)
    rms, worst = np.sqrt(np.mean(error**2)) / scale, error.max() / scale
    if rms <= LARGEST_RMS and worst <= LARGEST_ERROR:
        return None
    at = np.unravel_index(error.argmax(), error.shape)
    return f"differs by rms {rms:.2g}, worst {worst:.2g} of {scale:.4g}, at {tuple(map(int, at))}: {ours[at]} is {reference[at]}"


def compare(folder, answer):
    """Sentences about what differs."""
    products, scales = answer
    found = []
    for name, datasets in products.items():
        with h5py.File(os.path.join(folder, name)) as file:
            for dataset, reference in datasets.items():
                ours = file[dataset][()]
                if dataset in EXACT:
                    same = np.array_equal(ours.astype(reference.dtype), reference)
                    problem = None if same else f"differs at {np.sum(ours.astype(reference.dtype) != reference)} places"
                else:
                    problem = difference(ours, reference, scales.get(name, 0))
                if problem:
                    found.append(f"{name}/{dataset} {problem}")
    return found


def run_step(program, command, folder, answer):
    """Runs the program and compares; `answer` None: it has to refuse."""
    ended = subprocess.run([program, *command, "--progress", "none"], cwd=folder, capture_output=True, text=True,
                           check=False, stdin=subprocess.DEVNULL)
    if answer is None:
        return [] if ended.returncode == 2 else [f"exit code {ended.returncode} where it should refuse: {command}"]
    if ended.returncode:
        return [f"exit code {ended.returncode}: {ended.stderr.strip().splitlines()[-1:]}: {command}"]
    return compare(folder, answer)


def run_scene(program, seed, folder):
    """Sentences about what differs in the scene of this seed."""
    stack, series = os.path.join(folder, "stack"), os.path.join(folder, "series")
    options = stack_scene.write_scene(seed, stack)
    found = run_step(program, ["invert-network", options.stack, *options.flags], stack, answers.invert(stack, options))
    options = series_scene.write_scene(seed, series)
    command = ["correct-topography", series_scene.SERIES, *options.flags]
    return found + run_step(program, command, series, topography.correct(series, options))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outcrop", default=os.environ.get("OUTCROP", "outcrop"))
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--keep")
    given = parser.parse_args()
    program = shutil.which(given.outcrop) or sys.exit(f"{given.outcrop} is no program: build outcrop, give its path")
    seeds = range(given.first, given.first + given.scenes) if given.seed is None else [given.seed]
    equal = 0
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="outcrop-scene-") as folder:
            found = run_scene(os.path.abspath(program), seed, given.keep or folder)
        equal += not found
        if found:
            print(f"seed {seed}:", *found, sep="\n  ")
            print(f"  repeat with: {sys.argv[0]} --outcrop {program} --seed {seed} --keep FOLDER", flush=True)
    print(f"{equal} of {len(seeds)} scenes equal the reference")
    sys.exit(equal < len(seeds))


if __name__ == "__main__":
    main()
