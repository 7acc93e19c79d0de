"""What machine, program and commit a record is of."""
import glob
import os
import platform
import shutil

from gpu_check.commands import Failed, LeftOut, run

GPU_FACTS = "name,driver_version,memory.total,memory.free,compute_cap,clocks.max.sm,pcie.link.gen.current," \
            "pcie.link.width.current"
NODES = ["/dev/nvidiactl", "/dev/dxg"]  # of the driver: Linux, WSL 2


def why_no_device(device):
    if device == "sim" or any(os.path.exists(node) for node in NODES):
        return None
    return f"this machine has no NVIDIA driver ({' nor '.join(NODES)} is there)"


def first_of(path, key):
    """The value of the first line "key : value" of a file of /proc."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith(key)), None)
    except OSError:
        return None


def output_of(budget, *command):
    """None when the command is not there or fails."""
    try:
        ended = run(command, budget, limit=20)
    except (Failed, LeftOut):
        return None
    return ended.text.strip() if ended.code == 0 else None


def gpu_facts(budget):
    program = shutil.which("nvidia-smi") or shutil.which("nvidia-smi", path="/usr/lib/wsl/lib")
    text = program and output_of(budget, program, f"--query-gpu={GPU_FACTS}", "--format=csv")
    return text.splitlines() if text else None


def commit_of(budget, top):
    commit = output_of(budget, "git", "-C", top, "rev-parse", "HEAD")
    changed = commit and output_of(budget, "git", "-C", top, "status", "--porcelain", "--untracked-files=no")
    return f"{commit} with changes" if changed else commit


def machine_facts(budget, top):
    return {"host": platform.node(), "system": platform.platform(), "python": platform.python_version(),
            "cpu": first_of("/proc/cpuinfo", "model name"), "cores": os.cpu_count(),
            "usable_cores": len(os.sched_getaffinity(0)), "memory": first_of("/proc/meminfo", "MemTotal"),
            "driver_nodes": sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dxg")), "gpus": gpu_facts(budget),
            "commit": commit_of(budget, top)}
