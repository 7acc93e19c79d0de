"""Tests that objects built for a newer instruction set export no weak symbol that other objects could share.

The linker keeps one copy of an inline function of the standard library or of Eigen; the one of a newer instruction set
would stop the program on an older machine. Usage: weak_symbols_test.py NM NAMESPACE OBJECT..."""
import subprocess
import sys

WEAK = {"W", "V", "u", "w", "v"}


def weak_symbols(nm, path):
    """Defined ones, demangled."""
    text = subprocess.run([nm, "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        _, kind, name = line.split(" ", 2)
        if kind in WEAK:
            yield name


def main():
    nm, namespace, *objects = sys.argv[1:]
    if not objects:
        sys.exit("no objects were given")
    shared = [(path, name) for path in objects for name in weak_symbols(nm, path) if namespace not in name]
    for path, name in shared:
        print(f"{path} exports {name}, which is not of {namespace}")
    print(f"{len(objects)} objects, {len(shared)} shared symbols")
    sys.exit(1 if shared else 0)


main()
