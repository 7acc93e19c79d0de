"""Tests that the program links nothing of CUDA: that is the business of a module, opened only when a device is wanted.

usage: no_cuda_test.py READELF PROGRAM
"""
import subprocess
import sys


def main():
    readelf, program = sys.argv[1:]
    text = subprocess.run([readelf, "-d", program], check=True, capture_output=True, text=True).stdout
    needed = [line.split("[")[1].rstrip("]") for line in text.splitlines() if "(NEEDED)" in line]
    if not any(name.startswith("libc.so") for name in needed):
        sys.exit(f"readelf names no libc: {needed}")
    wrong = [name for name in needed if name.startswith(("libcuda", "libcudart", "libcusolver", "libcublas"))]
    if wrong:
        sys.exit(f"{program} links {', '.join(wrong)}")


if __name__ == "__main__":
    main()
