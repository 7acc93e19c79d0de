"""Tests that the program runs on the oldest 64-bit x86 processor, emulated, and gives there what it gives here.

Usage: old_machine_test.py OUTCROP. Exit code 77, skipped, without qemu-user."""
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
OLDEST = "qemu64"


def run(command, cwd, expected=0, **variables):
    done = subprocess.run(command, cwd=cwd, env=os.environ | variables, capture_output=True, text=True)
    if done.returncode != expected:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}, not {expected}\n{done.stdout}{done.stderr}")
    return done.stderr


def main():
    program = os.path.abspath(sys.argv[1])
    qemu = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
    if qemu is None:
        print("qemu-user is not installed")
        sys.exit(SKIPPED)
    emulated = [qemu, "-cpu", OLDEST, program]
    step = ["invert-network", "inputs/ifgramStack.h5", "--threads", "2"]
    with tempfile.TemporaryDirectory() as folder:
        run([program, "simulate", ".", "--rows", "40", "--cols", "50", "--dates", "12", "--nan", "0.05", "--cut-frac",
             "0.1"], folder)
        for made_by in ("old", "new"):
            os.mkdir(os.path.join(folder, made_by))
        run(emulated + step + ["--out-dir", "old"], folder)
        run([program] + step + ["--out-dir", "new"], folder)
        for product in ("timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5"):
            run([program, "compare", "--tol", "1e-6", f"new/{product}", f"old/{product}"], folder)
        message = run(emulated + step, folder, expected=2, OUTCROP_ISA="v3")
        if "v3" not in message:
            sys.exit(f"the refusal does not name the instruction set: {message}")


main()
