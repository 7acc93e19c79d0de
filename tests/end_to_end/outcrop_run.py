"""Runs the program under test as a user would, in a folder of its own; the program's path is in $OUTCROP."""
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass

import numpy as np

import mintpy_files as mp

PROGRAM = os.path.abspath(os.environ.get("OUTCROP", "outcrop"))
STACK = "inputs/ifgramStack.h5"
SANITIZED = os.environ.get("OUTCROP_SANITIZED", "")  # "address", "thread"


@dataclass
class Run:
    code: int
    stdout: str
    stderr: str
    peak_rss_bytes: int = 0


def environment(changes=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "HDF5_"))}
    env.update(changes or {})
    return env


def start(arguments, cwd, env=None, **options):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=cwd, env=environment(env), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **options)


def finish(process, timeout=60):
    """Waits for the end; a run that hangs is ended and fails the test."""
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError(f"outcrop had not ended after {timeout} s") from None
    return Run(process.returncode, stdout, stderr)


def outcrop(*arguments, cwd=".", env=None, timeout=60, **options):
    return finish(start(arguments, cwd, env, **options), timeout)


def resident_peak_kib(pid):
    """So far; 0 once the process has ended. The kernel's count for ended children would begin with this process's own."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0)


def outcrop_measured(*arguments, cwd=".", timeout=300):
    """A run whose peak resident memory the kernel tells; its streams go to files, as nobody reads pipes meanwhile."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=cwd, env=environment(), stdout=out, stderr=err)
        limit = time.monotonic() + timeout
        peak_kib = 0
        while True:
            peak_kib = max(peak_kib, resident_peak_kib(process.pid))
            pid, status = os.waitpid(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > limit:
                process.kill()
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Run(process.returncode, out.read(), err.read(), peak_kib * 1024)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def wait_until(condition, what, timeout=30):
    limit = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"waited {timeout} s in vain until {what}")
        time.sleep(0.002)


class SceneTest(unittest.TestCase):
    """A test with a folder that looks like a MintPy project and is removed at the end."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="outcrop-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.stack = self.path(STACK)
        os.makedirs(self.path("inputs"))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write_signal(self, rows=1, cols=3, growth=0.0, **options):
        mp.write_stack(self.stack, mp.interferograms(mp.history(rows, cols, growth)), **options)

    def invert(self, *arguments, env=None, timeout=60, **options):
        return outcrop("invert-network", STACK, "--progress", "none", *arguments, cwd=self.folder, env=env,
                       timeout=timeout, **options)

    def invert_well(self, *arguments, **options):
        """A run that must succeed; gives its products."""
        run = self.invert(*arguments, **options)
        self.assertEqual(run.code, 0, run.stderr)
        products = mp.Products(self.folder)
        products.run = run
        return products

    def warnings(self, run):
        return [line for line in run.stderr.splitlines() if "warning" in line.lower()]

    def assert_pixel(self, products, pixel, series, coherence, count, tolerance=5e-6):
        """Series [m], temporal coherence and count at a pixel (row, column)."""
        row, col = pixel
        np.testing.assert_allclose(products.series[:, row, col], series, rtol=0, atol=tolerance, err_msg=str(pixel))
        self.assertAlmostEqual(float(products.coherence[row, col]), coherence, delta=2e-6, msg=str(pixel))
        self.assertEqual(products.count[row, col], count, pixel)

    def assert_signal(self, products, pixel, count=7):
        self.assert_pixel(products, pixel, mp.DISPLACEMENT, 1, count)

    def assert_empty(self, products, pixel):
        self.assert_pixel(products, pixel, np.zeros(len(products.dates)), 0, 0, tolerance=0)

    def assert_same_values(self, first, second):
        for name in ("series", "coherence", "count", "bperp"):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
        self.assertEqual(first.dates, second.dates)

    def assert_refused(self, run, *words, codes=(2,)):
        """One sentence that holds the words, no stack trace, and nothing at a final name nor left unfinished."""
        self.assertIn(run.code, codes, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        for noise in ("terminate called", "HDF5-DIAG", "Traceback", "runtime error", "AddressSanitizer"):
            self.assertNotIn(noise, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assert_nothing_written()

    def assert_nothing_written(self, folder=None):
        self.assertEqual([n for n in self.entries(folder) if n in mp.Products.NAMES], [])
        self.assert_nothing_unfinished(folder)

    def assert_nothing_unfinished(self, folder=None):
        self.assertNotIn(".outcrop", self.entries(folder))
        self.assertEqual([n for n in self.entries(folder) if n.endswith(".part")], [])

    def entries(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def product_hashes(self, folder=None):
        return {name: sha256(os.path.join(folder or self.folder, name)) for name in mp.Products.NAMES}


def is_held(lock):
    """Whether a run has taken the lock: it writes its name only then, some time after the file has appeared."""
    return os.path.exists(lock) and os.path.getsize(lock) > 0


def stop_in_the_middle(process, folder, number):
    """Sends a signal once the unfinished outputs are there; the program is held meanwhile, so that it cannot win."""
    part = os.path.join(folder, ".outcrop", "timeseries.h5.part")
    wait_until(lambda: os.path.exists(part) or process.poll() is not None, f"{part} appears")
    process.send_signal(signal.SIGSTOP)
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)


def main():
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"OUTCROP={PROGRAM} is no program: give the path of the built outcrop")
    unittest.main(verbosity=2)
