"""What invert-network has to answer: each pixel by itself, in double precision, by minimum-norm least squares."""
import datetime
import math
import os

import h5py
import numpy as np

# Real singular values lie above 1e-6 of the largest, those of missing links below 1e-14.
RANK = 1e-10


def moment(text):
    return datetime.datetime.strptime(text, "%Y%m%dT%H%M" if "T" in text else "%Y%m%d")


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def read_f4(file, name):
    """Values as float32, the precision in which samples are compared and referenced."""
    return file[name][()].astype("f4")


class Network:
    """Dates and design matrices of the pairs: A differences of dates, B velocities between neighbouring dates."""

    def __init__(self, pairs):
        self.dates = sorted({date for pair in pairs for date in pair})
        days = [(moment(d) - moment(self.dates[0])) / datetime.timedelta(days=1) for d in self.dates]
        # Time is float32 here, as the least velocity depends on it.
        self.steps = np.diff(np.array(days, "f4") / np.float32(365.25)).astype("f8")
        self.differences = np.zeros((len(pairs), len(self.dates)))
        for row, (first, second) in zip(self.differences, pairs):
            row[self.dates.index(first)] -= 1
            row[self.dates.index(second)] += 1
        self.a = self.differences[:, 1:]
        running = np.tril(np.ones((len(self.steps), len(self.steps)))) * self.steps
        self.b = self.a @ running


def variance_table(looks):
    """[200] variance of the phase of a distributed scatterer, by coherence."""
    n = min(looks, 80)
    coherence = (np.linspace(0.005, 1, 200) - 0.0025)[:, None]
    phase = np.linspace(-np.pi, np.pi, 200)
    beta = coherence * np.cos(phase)
    rest = 1 - beta**2
    gamma = math.gamma
    scale = gamma(2 * n - 1) / (gamma(n) ** 2 * 2.0 ** (2 * (n - 1)))
    density = scale * ((2 * n - 1) * beta * rest ** -(n + 0.5) * (np.pi / 2 + np.arcsin(beta)) + rest**-n)
    for r in range(n - 1):
        factor = gamma(n - 0.5) / gamma(n - 0.5 - r) * gamma(n - 1 - r) / gamma(n - 1)
        density += factor * (1 + (2 * r + 1) * beta**2) * rest ** -(r + 2) / (2 * (n - 1))
    density *= (1 - coherence**2) ** n / (2 * np.pi)
    return (phase**2 * density).sum(axis=1) * 2 * np.pi / 200


def root_weights(function, coherence, looks):
    """Square roots of the weights, float32."""
    c = np.maximum(np.nan_to_num(coherence, nan=0.0), np.float32(0.05)).astype("f8")
    if function == "coh":
        weight = c
    elif function == "fim":
        c = np.minimum(c, 0.999)
        weight = 2 * looks * c**2 / (1 - c**2)
    else:
        grid = np.linspace(0.005, 1, 200) - 0.0025
        place = (np.clip(c, grid[0], grid[-1]) - grid[0]) / 0.005
        weight = 1 / variance_table(looks)[np.trunc(place).astype(int)]
    return np.sqrt(weight.astype("f4"))


class Stack:
    """The kept pairs of a file, referenced, with what is no observation as NaN."""

    def __init__(self, folder, options):
        self.options = options
        with h5py.File(f"{folder}/{options.stack}") as file:
            self.attributes = {name: text_of(value) for name, value in file.attrs.items()}
            texts = [tuple(map(text_of, pair)) for pair in file["date"][()]]
            keep = [i for i, kept in enumerate(file["dropIfgram"][()]) if kept and texts[i][0] != texts[i][1]]
            self.pairs = [texts[i] for i in keep]
            images = {name: read_f4(file, name)[keep] for name in file if file[name].ndim == 3}
            self.bperp = file["bperp"][()].astype("f8")[keep]
        self.images = images
        self.network = Network(self.pairs)
        self.y = images[options.dataset].copy()
        self.shape = self.y.shape[1:]
        self.reference_pixel = None
        if not options.skip_reference and "REF_Y" in self.attributes:
            self.reference_pixel = int(self.attributes["REF_Y"]), int(self.attributes["REF_X"])
        self.used = self.reference()
        self.y[~np.isfinite(self.y)] = np.nan
        if not options.is_offset:
            self.y[self.y == 0] = np.nan
        self.mask()

    def reference(self):
        """Subtracts the values at the reference pixel; pairs without data there are NaN. Gives the pairs in use."""
        if not self.reference_pixel:
            return len(self.y)
        row, col = self.reference_pixel
        values = self.y[:, row, col].copy()
        for k in np.nonzero(values == 0)[0]:
            near = self.y[k, max(row - 2, 0):row + 3, max(col - 2, 0):col + 3]
            no_data = not np.any((near != 0) & ~np.isnan(near))
            if "connectComponent" in self.images:
                no_data |= self.images["connectComponent"][k, row, col] == 0
            if no_data and not self.options.is_offset:
                values[k] = np.nan
        self.y = np.where(self.y == 0, np.float32(0), self.y - values[:, None, None])
        self.y[np.isnan(values)] = np.nan
        return int(np.isfinite(values).sum())

    def mask(self):
        name, threshold = self.options.mask_dataset, self.options.mask_threshold
        if not name:
            return
        values = np.nan_to_num(self.images[name], nan=0.0)
        if name == "connectComponent":
            keep = values != 0
        elif name.endswith("Std"):
            keep = values <= np.float32(threshold)
            for k, y in enumerate(self.y):
                certain = y[keep[k] & ~np.isnan(y)]
                if certain.size:
                    distance = np.abs(y - np.median(certain)) / (values[k] + np.float32(1e-5))
                    keep[k] |= (values[k] <= np.float32(5 * threshold)) & (distance >= 10)
        else:
            keep = values >= np.float32(threshold)
        self.y[~keep] = np.nan

    def looks(self):
        a = self.attributes
        looks = float(a["NCORRLOOKS"]) if "NCORRLOOKS" in a else int(a["ALOOKS"]) * int(a["RLOOKS"]) / 1.94
        return max(1, round(looks))

    def roots(self, function):
        """[M, L, W] square roots of weights."""
        if function == "no":
            return np.ones_like(self.y)
        if self.options.is_offset:
            std = self.images[self.options.dataset + "Std"]
            return 1 / np.maximum(np.where(np.isnan(std), np.float32(100), std), np.float32(0.005))
        return root_weights(function, self.images["coherence"], self.looks())

    def metres(self):
        """From the unit of the observation to metres."""
        number = lambda name: float(self.attributes[name])
        if not self.options.is_offset:
            return -number("WAVELENGTH") / (4 * np.pi)
        if self.attributes["PROCESSOR"] == "cosicorr":
            return 1.0
        if self.options.dataset == "rangeOffset":
            return -number("RANGE_PIXEL_SIZE") / number("RLOOKS")
        ground = number("EARTH_RADIUS") / (number("EARTH_RADIUS") + number("HEIGHT"))
        on_orbit = self.attributes["PROCESSOR"] in ("isce", "roipac")
        return number("AZIMUTH_PIXEL_SIZE") / number("ALOOKS") * (ground if on_orbit else 1)


def open_pixels(folder, options, stack):
    """[L, W] whether masks leave the pixel and any sample is there."""
    wanted = ~np.isnan(stack.y).all(axis=0)
    for name in (options.water_mask, options.quality):
        if name:
            with h5py.File(os.path.join(folder, name)) as file:
                wanted &= file[next(iter(file))][()] != 0
    return wanted


def is_redundant(matrix, least):
    return np.count_nonzero(matrix, axis=0).min() >= least


def quality_of(options, residual, rank, num_unknowns):
    if not options.is_offset:
        return abs(np.exp(1j * residual).mean())
    known = options.weight != "no" or (rank == num_unknowns < len(residual))
    return math.sqrt(residual @ residual) if known else math.nan
