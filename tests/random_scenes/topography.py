"""What correct-topography has to answer: each pixel by itself, in double precision, by minimum-norm least squares."""
import datetime
import math
import os

import h5py
import numpy as np

from inversion import moment, read_f4, text_of

# Columns that differ by less, relative to their length, cannot be told apart.
RANK = 1e-10


def decimal_year(text, time_of_day_s):
    """A measure of time in which every year has 365.25 days."""
    when = moment(text)
    seconds = when.hour * 3600 + when.minute * 60 if "T" in text else time_of_day_s
    return when.year + (when.timetuple().tm_yday - 1) / 365.25 + seconds / 86400 / 365.25


def shared_columns(dates, time_of_day_s, options):
    """[D, columns] constant, polynomial, seasons, steps; float32 as they are stored."""
    years = np.array([decimal_year(date, time_of_day_s) for date in dates])
    tau = years - years[0]
    columns = [tau**k / math.factorial(k) for k in range(options.order + 1)]
    for period in options.periods:
        columns += [np.cos(2 * np.pi / period * tau), np.sin(2 * np.pi / period * tau)]
    columns += [(years > decimal_year(step, 0)).astype("f8") for step in options.steps]
    return np.array(columns).T.astype("f4").astype("f8")


def least_norm(design, values):
    """Least squares; of all answers that with the least norm. Rank is decided for columns of equal length."""
    length = np.linalg.norm(design, axis=0)
    if (length == 0).any():  # nothing is asked of these columns
        x = np.zeros(len(length))
        x[length > 0] = least_norm(design[:, length > 0], values)
        return x
    u, s, vt = np.linalg.svd(design / length, full_matrices=True)
    rank = int((s > RANK * s[0]).sum()) if s.size else 0
    x = vt[:rank].T @ (u[:, :rank].T @ values / s[:rank]) / length
    if rank == len(length):
        return x
    free, _ = np.linalg.qr(vt[rank:].T / length[:, None])
    return x - free @ (free.T @ x)


class Scene:
    """The series with its geometry, in double."""

    def __init__(self, folder, options, series, geometry):
        with h5py.File(os.path.join(folder, series)) as file:
            self.attributes = {name: text_of(value) for name, value in file.attrs.items()}
            self.dates = [text_of(date) for date in file["date"][()]]
            self.series = read_f4(file, "timeseries").astype("f8")
            self.bperp = np.broadcast_to(file["bperp"][()].astype("f8")[:, None, None], self.series.shape)
        self.shape = self.series.shape[1:]
        self.incidence, self.slant_range = self.scene_geometry()
        if options.geometry:
            with h5py.File(os.path.join(folder, geometry)) as file:
                self.read_geometry(file)
        reference = self.dates.index(self.attributes.get("REF_DATE", self.dates[0]))
        with np.errstate(invalid="ignore"):
            self.bperp = self.bperp - self.bperp[reference]

    def number(self, name, otherwise=None):
        return float(self.attributes.get(name, otherwise))

    def scene_geometry(self):
        """[L, W] one angle, deg, and one range, m, for all pixels."""
        near, pixel, width = self.number("STARTING_RANGE"), self.number("RANGE_PIXEL_SIZE"), self.shape[1]
        radius, height = self.number("EARTH_RADIUS", 6371008.8), self.number("HEIGHT")
        angles = [180 - math.degrees(math.acos((radius**2 + r**2 - (radius + height) ** 2) / (2 * radius * r)))
                  for r in (near, near + pixel * width)]
        incidence = self.number("CENTER_INCIDENCE_ANGLE", sum(angles) / 2)
        middle = float(np.float32(near + pixel * (width - 1) / 2))
        return np.full(self.shape, incidence), np.full(self.shape, middle)

    def read_geometry(self, file):
        if "incidenceAngle" in file:
            self.incidence = read_f4(file, "incidenceAngle").astype("f8")
            if "slantRangeDistance" in file:
                self.slant_range = read_f4(file, "slantRangeDistance").astype("f8")
            elif "Y_FIRST" not in self.attributes:
                line = self.number("STARTING_RANGE") + self.number("RANGE_PIXEL_SIZE") * np.arange(self.shape[1])
                self.slant_range = np.broadcast_to(line, self.shape)
        if "bperp" in file:
            dates = [text_of(date) for date in file["date"][()]]
            self.bperp = read_f4(file, "bperp").astype("f8")[[dates.index(date) for date in self.dates]]

    def good(self, folder, options):
        """[L, W] pixels with data and geometry."""
        good = np.isfinite(self.series).all(axis=0) & np.isfinite(self.bperp).all(axis=0) & (self.series != 0).any(axis=0)
        sine = np.sin(np.radians(self.incidence))
        good &= (sine != 0) & ~np.isnan(sine) & (self.slant_range != 0) & ~np.isnan(self.slant_range)
        if options.coherence:
            with h5py.File(os.path.join(folder, "temporalCoherence.h5")) as file:
                good &= file["temporalCoherence"][()] != 0
        return good


def correct(folder, options, series="timeseries.h5", geometry="inputs/geometryRadar.h5"):
    """Names of files and datasets with their values in double, and for each file the scale of the input in its unit."""
    scene = Scene(folder, options, series, geometry)
    shared = shared_columns(scene.dates, scene.number("CENTER_LINE_UTC", 0), options)
    kept = np.array([date not in options.excluded for date in scene.dates])
    days = [(moment(date) - moment(scene.dates[0])) / datetime.timedelta(days=1) for date in scene.dates]
    spans = np.diff((np.array(days, "f4") / np.float32(365.25))[kept].astype("f8"))[:, None]
    dem, corrected, residual = np.zeros(scene.shape), np.zeros_like(scene.series), np.zeros_like(scene.series)
    good = scene.good(folder, options)
    largest, longest = np.abs(scene.series[:, good]).max(initial=0), 0
    for at in zip(*np.nonzero(good)):
        pixel = (slice(None), *at)
        lever = scene.bperp[pixel] / (scene.slant_range[at] * math.sin(math.radians(scene.incidence[at])))
        longest = max(longest, np.abs(lever).max())
        y = scene.series[pixel]
        columns = shared[:, 1:] if options.phase_velocity else shared
        design = np.column_stack([lever, columns])
        if options.phase_velocity:
            x = least_norm(np.diff(design[kept], axis=0) / spans, np.diff(y[kept]) / spans[:, 0])
        else:
            x = least_norm(design[kept], y[kept])
        dem[at], corrected[pixel], residual[pixel] = x[0], y - lever * x[0], y - design @ x
    name = os.path.splitext(series)[0]
    dates = np.array(scene.dates)
    names = "demErr.h5", f"{name}_demErr.h5", "timeseriesResidual.h5"
    products = {"dem": dem}, {"timeseries": corrected, "date": dates}, {"timeseries": residual, "date": dates}
    scales = largest / longest if longest > 0 else 0, largest, largest
    return dict(zip(names, products)), dict(zip(names, scales))
