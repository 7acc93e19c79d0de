"""Runs the program with --device cuda over stand-ins for CUDA's libraries (tests/cuda_stand_in), whose folder is in
$OUTCROP_CUDA_STAND_IN: no device is needed, and the calls of the CUDA module are counted, judged and made to fail."""
import os
import sys
import tempfile
from dataclasses import dataclass, field

LIBRARIES = os.environ.get("OUTCROP_CUDA_STAND_IN", "")
CUDA = ("--device", "cuda")
NOT_RUN = 77


@dataclass
class Log:
    """What the stand-in saw: the calls by name in their order, what was never given back, what it blames."""

    calls: list = field(default_factory=list)
    works: int = 0
    faults: list = field(default_factory=list)
    is_whole: bool = False

    @staticmethod
    def read(path):
        log = Log()
        with open(path, encoding="utf-8") as file:
            for line in file.read().splitlines():
                kind, _, rest = line.partition(" ")
                if kind == "call":
                    log.calls.append(rest)
                elif kind == "works":
                    log.works = int(rest)
                elif kind == "end":
                    log.is_whole = True
                else:
                    log.faults.append(line)
        return log


class StandIn:
    """A mixin of tests: every run of the program finds the stand-ins, and must use them as they want to be used."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="outcrop-test-")
        self.addCleanup(folder.cleanup)
        self.log_path = os.path.join(folder.name, "stand-in.log")
        self.plan()
        super().setUp()

    def plan(self, **keys):
        """What is to be the matter with the device in the runs that follow; keys of tests/cuda_stand_in/plan.hpp."""
        words = [f"{key}={value}" for key, value in {**keys, "log": self.log_path}.items()]
        os.environ["OUTCROP_STAND_IN"] = ",".join(words)

    def check_use(self):
        """Gives the log of the last run, in which everything was given back and nothing is to blame."""
        log = Log.read(self.log_path)
        os.remove(self.log_path)
        self.assertTrue(log.is_whole)
        self.assertEqual(log.faults, [])
        return log


def need_stand_in():
    """Ends a test program that has no stand-ins to run with; else they take the libraries' place from here on."""
    if not LIBRARIES:
        print("no stand-ins for CUDA's libraries were built")
        sys.exit(NOT_RUN)
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [LIBRARIES, os.environ.get("LD_LIBRARY_PATH")]))
