"""Small stacks of interferograms in MintPy's layout, whose time series is known by hand.

The scene: five dates, seven pairs, the pixel (0, 0) as reference. Every other pixel moves by `SIGNAL` radians. The
wavelength is 4 pi m, so that the displacement in metres is minus the phase in radians. Every pair has a constant of its
own at all pixels, which referencing removes; with it no stored sample is 0, the value that means "no data".
"""
import os

import h5py
import numpy as np

DATES = ["20200101", "20200113", "20200125", "20200206", "20200218"]
PAIRS = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 2), (1, 3), (2, 4)]
CONSTANTS = [0.7, -0.3, 2.2, 1.1, -0.9, 0.4, 5.0]
SIGNAL = np.array([0, 1, -2, 0.5, 3])
DISPLACEMENT = -SIGNAL  # metres
WAVELENGTH = "12.566370614359172"


def history(rows, cols, growth=0.0):
    """Phase [D, rows, cols] rad: SIGNAL, scaled by 1 + growth x pixel number; 0 at the reference pixel (0, 0)."""
    scale = 1 + growth * np.arange(rows * cols).reshape(rows, cols)
    phase = SIGNAL[:, None, None] * scale
    phase[:, 0, 0] = 0
    return phase


def interferograms(phase, pairs=PAIRS, constants=None):
    """Stored samples [M, rows, cols] rad of the pairs (indices of dates, either order) of a phase history."""
    constants = CONSTANTS if constants is None else constants
    return np.stack([phase[b] - phase[a] + c for (a, b), c in zip(pairs, constants)]).astype("f4")


def write_stack(path, samples, pairs=PAIRS, dates=DATES, coherence=0.8, keep=None, bperp=None, attributes=None,
                storage=None, more=None):
    """Writes a stack. `storage`: how the images are stored (arguments of create_dataset), `more`: further images,
    `attributes`: added to the usual ones, None removes one. `coherence` None leaves the dataset out."""
    num_pairs, rows, cols = samples.shape
    images = {"unwrapPhase": samples}
    if coherence is not None:
        images["coherence"] = np.broadcast_to(np.asarray(coherence, "f4"), samples.shape)
    images.update(more or {})
    names = [[dates[a], dates[b]] for a, b in pairs]
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with h5py.File(path, "w") as file:
        for name, values in images.items():
            file.create_dataset(name, data=values, **(storage or {}))
        file["date"] = np.array(names).astype(f"S{max(len(d) for d in dates)}")
        file["dropIfgram"] = np.ones(num_pairs, bool) if keep is None else np.array(keep, bool)
        file["bperp"] = np.zeros(num_pairs, "f4") if bperp is None else np.array(bperp, "f4")
        file.attrs.update(all_attributes(rows, cols, attributes or {}))


def all_attributes(rows, cols, changes):
    usual = {"FILE_TYPE": "ifgramStack", "LENGTH": str(rows), "WIDTH": str(cols), "REF_Y": "0", "REF_X": "0",
             "WAVELENGTH": WAVELENGTH, "ALOOKS": "1", "RLOOKS": "10", "PROCESSOR": "isce"}
    usual.update(changes)
    return {name: value for name, value in usual.items() if value is not None}


def write_map(path, dataset, values, **attributes):
    """A mask or another map [rows, cols] in a file of its own."""
    with h5py.File(path, "w") as file:
        file[dataset] = values
        file.attrs.update({"FILE_TYPE": "mask", "LENGTH": str(values.shape[0]), "WIDTH": str(values.shape[1])})
        file.attrs.update(attributes)


def set_attributes(path, **changes):
    """Changes attributes in place; None removes one."""
    with h5py.File(path, "r+") as file:
        for name, value in changes.items():
            if value is None:
                del file.attrs[name]
            else:
                file.attrs[name] = value


def read(path, dataset):
    with h5py.File(path, "r") as file:
        return file[dataset][()]


def attributes_of(path):
    with h5py.File(path, "r") as file:
        return dict(file.attrs)


class Products:
    """The three products of a run: series [D, L, W] m, coherence [L, W], count [L, W], dates."""

    NAMES = ("timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5")

    def __init__(self, folder, names=NAMES):
        paths = [os.path.join(folder, name) for name in names]
        self.series = read(paths[0], "timeseries")
        self.dates = [d.decode() for d in read(paths[0], "date")]
        self.bperp = read(paths[0], "bperp")
        self.coherence = read(paths[1], "temporalCoherence")
        self.count = read(paths[2], "mask")
