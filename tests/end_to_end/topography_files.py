"""A small time series in MintPy's layout, with its geometry, whose DEM error is known by hand.

The scene: twelve dates, 24 days apart, each pixel in steady motion of 0.03 m a year above a DEM that is 20 m too low. The
series holds no zero but at the first date, so that every pixel counts.
"""
import h5py
import numpy as np

import mintpy_files as mp

DATES = ["20200101", "20200125", "20200218", "20200313", "20200406", "20200430", "20200524", "20200617", "20200711",
         "20200804", "20200828", "20200921"]
BPERP = np.array([0, 80, -60, 120, -30, 45, -110, 70, -15, 140, -90, 25], "f4")
RANGE, INCIDENCE, DEM_ERROR = 850000.0, 38.0, 20.0
MOTION = 0.03 * 24 * np.arange(12) / 365.25  # metres

SERIES, GEOMETRY = "timeseries.h5", "inputs/geometryRadar.h5"
PRODUCTS = ("timeseries_demErr.h5", "timeseriesResidual.h5", "demErr.h5")


def signal(rows, cols, bperp=BPERP, range_m=RANGE, incidence=INCIDENCE):
    """[D, rows, cols] m; the baselines may be of each pixel."""
    baselines = np.broadcast_to(np.asarray(bperp, "f8").reshape(12, *np.shape(bperp)[1:] or (1, 1)), (12, rows, cols))
    lever = np.broadcast_to(range_m * np.sin(np.radians(incidence)), (rows, cols))
    return (MOTION[:, None, None] + DEM_ERROR * (baselines - baselines[0]) / lever).astype("f4")


def write_series(path, series, bperp=BPERP, dates=None, attributes=None, more=None, storage=None):
    """`bperp` None leaves the dataset out; `more`: further root datasets; `attributes`: None removes one."""
    count, rows, cols = series.shape
    usual = {"FILE_TYPE": "timeseries", "LENGTH": str(rows), "WIDTH": str(cols), "REF_DATE": DATES[0], "REF_Y": "0",
             "REF_X": "0", "UNIT": "m", "CENTER_LINE_UTC": "0"}
    usual.update(attributes or {})
    with h5py.File(path, "w") as file:
        file.create_dataset("timeseries", data=series, **(storage or {}))
        file["date"] = np.array(dates or DATES[:count]).astype(f"S{len((dates or DATES)[0])}")
        if bperp is not None:
            file["bperp"] = np.asarray(bperp, "f4")
        for name, values in (more or {}).items():
            file[name] = values
        file.attrs.update({k: v for k, v in usual.items() if v is not None})


def write_geometry(path, rows, cols, incidence=INCIDENCE, slant_range=RANGE, bperp=None, bperp_dates=None, storage=None,
                   attributes=None):
    """None leaves a dataset out; `bperp` [Dg, rows, cols] of `bperp_dates`."""
    images = {"height": np.full((rows, cols), 100.0), "incidenceAngle": incidence, "slantRangeDistance": slant_range}
    with h5py.File(path, "w") as file:
        for name, values in images.items():
            if values is not None:
                file.create_dataset(name, data=np.broadcast_to(np.asarray(values, "f4"), (rows, cols)), **(storage or {}))
        if bperp is not None:
            file.create_dataset("bperp", data=np.asarray(bperp, "f4"), **(storage or {}))
            file["date"] = np.array(bperp_dates or DATES, "S8")
        file.attrs.update({"FILE_TYPE": "geometry", "LENGTH": str(rows), "WIDTH": str(cols), **(attributes or {})})


class Corrected:
    """The three products of a run: corrected and residual series [D, L, W] m, DEM error [L, W] m."""

    def __init__(self, folder, names=PRODUCTS):
        paths = [f"{folder}/{name}" for name in names]
        self.series = mp.read(paths[0], "timeseries")
        self.residual = mp.read(paths[1], "timeseries")
        self.dem = mp.read(paths[2], "dem")
