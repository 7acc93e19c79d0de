"""What a check found, as JSON that is on the disk whatever happens to the check."""
import contextlib
import datetime
import json
import os
import time
import traceback

from gpu_check.commands import Failed, LeftOut

NO_DEVICE = 77


def say(text):
    try:
        print(f"gpu-check: {text}", flush=True)
    except OSError:
        pass  # nobody reads; the record is written all the same


def unforeseen(error):
    """Of the error that is being handled."""
    return f"{type(error).__name__}: {error}\n{traceback.format_exc()[-1500:]}"


class Record:
    def __init__(self, path, reports_folder, **facts):
        self.path, self.reports_folder = path, reports_folder
        self.start = time.monotonic()
        self.section_name, self.is_written = "", False
        now = datetime.datetime.now(datetime.timezone.utc)
        self.found = {"date": now.isoformat(timespec="seconds"), **facts, "finished": False, "seconds": 0.0,
                      "no_device": None, "machine": {}, "sections": [], "compared": 0, "problems": [], "left_out": [],
                      "tests": None, "sanitizer": [], "machine_file": None, "samples": [], "reports": []}

    def problem(self, text):
        say(text)
        self.found["problems"].append(text)

    def leave_out(self, what, why):
        self.found["left_out"].append({"section": self.section_name, "what": what, "why": str(why)})

    def keep_report(self, name, report):
        """A whole run report, as `outcrop model fit --report` and `outcrop measure --report` take it."""
        self.found["reports"].append({"name": name, "report": report})
        self.write_beside(f"{name}.json", json.dumps(report, indent=1))

    def keep_machine_file(self, text):
        self.found["machine_file"] = text
        self.write_beside("machine.toml", text)

    def write_beside(self, name, text):
        if not self.reports_folder:
            return
        try:
            with open(os.path.join(self.reports_folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise Failed(f"--reports {self.reports_folder}: {error.strerror}") from None

    @contextlib.contextmanager
    def attempt(self, what):
        """What fails inside is a problem and what finds no time is left out; the check goes on behind it."""
        try:
            yield
        except LeftOut as why:
            self.leave_out(what, why)
        except Failed as failure:
            self.problem(f"{what}: {failure}")

    @contextlib.contextmanager
    def section(self, name):
        """A part of the check, after which the record is on the disk."""
        say(name)
        self.section_name = name
        start = time.monotonic()
        try:
            yield
        except LeftOut as why:
            self.leave_out(name, why)
        except Failed as failure:
            self.problem(f"{name}: {failure}")
        except Exception as error:
            self.problem(f"{name}: {unforeseen(error)}")
        finally:
            self.found["sections"].append({"name": name, "seconds": round(time.monotonic() - start, 2)})
            self.write()

    def is_writable(self):
        """Tried now, not after minutes."""
        try:
            if self.reports_folder:
                os.makedirs(self.reports_folder, exist_ok=True)
        except OSError as error:
            say(f"--reports {self.reports_folder}: {error.strerror}")
            return False
        self.write()
        return self.is_written

    def write(self):
        """A reader sees the record of before or this one, never half of one."""
        self.found["seconds"] = round(time.monotonic() - self.start, 2)
        part = f"{self.path}.{os.getpid()}.part"
        try:
            with open(part, "w", encoding="utf-8") as file:
                json.dump(self.found, file, indent=1)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self.path)
            self.is_written = True
        except OSError as error:
            self.is_written = False
            say(f"{self.path} cannot be written: {error.strerror}")
        finally:
            with contextlib.suppress(OSError):
                os.remove(part)

    def close(self):
        """Gives the exit status."""
        found = self.found
        if found["finished"] and not found["compared"] and not found["problems"] and not found["no_device"]:
            self.problem("nothing was compared; --seconds may be too few")
        self.write()
        for section, why in dict.fromkeys((item["section"], item["why"]) for item in found["left_out"]):
            names = [i["what"] for i in found["left_out"] if (i["section"], i["why"]) == (section, why)]
            say(f"left out of {section}: {'; '.join(names)} ({why})")
        if found["no_device"]:
            say(f"there is no device: {found['no_device']}")
        else:
            say(f"{len(found['problems'])} problems; {found['compared']} runs on the device were compared; "
                f"{self.path} holds {len(found['samples'])} samples")
        if found["problems"] or not self.is_written:
            return 1
        return NO_DEVICE if found["no_device"] else 0
