"""Runs commands that may hang, crash, print anything or not be there, within a budget of seconds."""
import contextlib
import os
import shlex
import signal
import subprocess
import time
from collections import namedtuple

SECONDS_TO_DIE = 4  # a process that waits in the driver may outlive its killing
SMALLEST_S = 0.5  # with less left nothing is started

Ended = namedtuple("Ended", "code text seconds")


class Failed(Exception):
    """What went wrong, in words for the record."""


class Hung(Failed):
    """A command did not end within the time that is ample for it."""


class LeftOut(Exception):
    """Why something is not done: most often there is no time for it."""


class Budget:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return max(0.0, self.end - time.monotonic())

    def part(self, share):
        return Budget(self.left() * share)


def tail(text, characters=2000):
    """The end of a program's output, fit for a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text.strip()[-characters:])


def outcome(ended):
    if ended.code < 0:
        return f"ended by signal {-ended.code}"
    return f"exit {ended.code}"


def run(command, budget, cwd=None, limit=60):
    """Gives the ended process with its two streams as one text. `limit`: seconds after which it is taken to hang."""
    command = [str(c) for c in command]
    left = budget.left()
    if left < SMALLEST_S:
        raise LeftOut("no time was left")
    start = time.monotonic()
    process = begin(command, cwd)
    try:
        text, _ = process.communicate(timeout=min(limit, left))
    except subprocess.TimeoutExpired:
        text = kill(process)
        if left < limit:
            raise LeftOut(f"cut off after {left:.0f} s, when no time was left") from None
        raise Hung(f"{shlex.join(command)}: killed after {limit:.0f} s\n{tail(text)}") from None
    except BaseException:
        kill(process)
        raise
    return Ended(process.returncode, text, time.monotonic() - start)


def must(command, budget, cwd=None, limit=60, characters=2000):
    """Gives the output of a command that ended well."""
    ended = run(command, budget, cwd, limit)
    if ended.code:
        raise Failed(f"{shlex.join(str(c) for c in command)}: {outcome(ended)}\n{tail(ended.text, characters)}")
    return ended.text


def begin(command, cwd):
    """Leads a session of its own, so that its children can be ended with it."""
    try:
        return subprocess.Popen(command, cwd=cwd, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None


def kill(process):
    """Ends a process and its children. Gives what they had printed, as far as it can be had."""
    for number in (signal.SIGTERM, signal.SIGKILL):  # ninja's compilers are only ended by ninja, when it is asked
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=SECONDS_TO_DIE)[0] or ""
    return ""
