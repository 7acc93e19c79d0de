"""Builds the program with its CUDA module, and runs the tests that want a device."""
import os
import re
import shutil

from gpu_check.commands import Failed, must, run, tail

DEPENDENCIES = "tools/dependencies installs the Debian packages that building needs; the CUDA toolkit (nvcc) is apart"
NVCC = "/usr/local/cuda/bin/nvcc"
TESTS_LIMIT_S, TESTS_AMPLE_S = 180, 60  # at most, and what is ample on any device
OUTPUT = 6000  # characters of a failed build that are kept


def configuring(top, folder, device):
    """The command. What a folder was configured with once stays."""
    command = ["cmake", "-S", top, "-B", folder, "-DCMAKE_BUILD_TYPE=Release"]
    is_new = not os.path.exists(os.path.join(folder, "CMakeCache.txt"))
    if is_new and shutil.which("ninja"):
        command += ["-G", "Ninja"]
    if device == "sim":
        return command
    if is_new and not shutil.which("nvcc") and not os.environ.get("CUDACXX") and os.path.exists(NVCC):
        command.append(f"-DCMAKE_CUDA_COMPILER={NVCC}")
    return [*command, "-DOUTCROP_CUDA=ON", "-DOUTCROP_CUDA_ARCHITECTURES=native"]


def build(top, folder, device, budget):
    """Gives the program."""
    limit = budget.left() + 1  # the budget ends it, not a guess
    try:
        must(configuring(top, folder, device), budget, limit=limit, characters=OUTPUT)
        targets = must(["cmake", "--build", folder, "--target", "help"], budget)
        wanted = ["outcrop", *(t for t in ("outcrop_cuda", "outcrop_cuda_tests") if re.search(rf"\b{t}\b", targets))]
        must(["cmake", "--build", folder, "--parallel", os.cpu_count() or 1, "--target", *wanted], budget, limit=limit,
             characters=OUTPUT)
    except Failed as failure:
        raise Failed(f"{failure}\n{DEPENDENCIES}") from None
    return os.path.abspath(os.path.join(folder, "bin", "outcrop"))


def run_tests(folder, record, budget):
    limit = min(TESTS_LIMIT_S, max(TESTS_AMPLE_S, 0.9 * budget.left()))  # a hang is a problem, not a want of time
    ended = run(["ctest", "--test-dir", folder, "-L", "gpu", "--timeout", "60", "-j", "4", "--no-tests=error",
                 "--output-on-failure"], budget, limit=limit)
    record.found["tests"] = {"exit": ended.code, "seconds": round(ended.seconds, 2), "output": tail(ended.text, OUTPUT)}
    if ended.code:
        raise Failed(tail(ended.text, OUTPUT))
    not_run = re.findall(r"^.*\*\*\*(?:Skipped|Not Run).*$", ended.text, re.MULTILINE)
    if not_run:
        raise Failed("a device is expected, but tests were not run:\n" + tail("\n".join(not_run)))
