"""A time series with its geometry drawn from a seed, and the options of correct-topography that go with it."""
import os
from dataclasses import dataclass, field

import numpy as np

from draw import (Draw, float_type, machine_flags, open_new, some_dates, write_attributes, write_image, write_map)

SERIES, GEOMETRY = "timeseries.h5", "inputs/geometryRadar.h5"


@dataclass
class Options:
    """What was asked for, as the reference needs it."""
    geometry: bool = False
    order: int = 2
    steps: list = field(default_factory=list)
    periods: list = field(default_factory=list)
    excluded: list = field(default_factory=list)
    phase_velocity: bool = False
    coherence: bool = False  # a temporalCoherence.h5 beside the series
    flags: list = field(default_factory=list)


def choose_options(draw, dates):
    options = Options()
    count = len(dates)
    if count > 5 and draw.chance(0.4):
        chosen = draw.random.choice(count, draw.whole(1, count - 4), replace=False)
        options.excluded = [dates[i] for i in sorted(chosen)]
    options.order = draw.whole(1, min(4, count - len(options.excluded)))
    options.phase_velocity = draw.chance(0.3)
    if draw.chance(0.2):
        options.periods = draw.one_of([1.0], [0.5], [1.0, 0.5])
    for _ in range(draw.one_of(0, 0, 1, 2)):
        # On an acquisition, before all and after all too: dependent columns are ordinary.
        options.steps.append(draw.one_of(dates[draw.whole(0, count - 1)], "20180615", "20190102", "20100101", "20300101"))
    return options


def flags_of(draw, options, folder):
    """The same wishes as flags, or as a template."""
    flags = ["-g", GEOMETRY] if options.geometry else []
    flags += ["--periodic", *map(str, options.periods)] if options.periods else []
    if draw.chance(0.5):
        flags += ["-p", str(options.order)] + ["--phase-velocity"] * options.phase_velocity
        flags += ["-s", *options.steps] if options.steps else []
        return flags + (["--ex", *options.excluded] if options.excluded else [])
    if options.excluded and draw.chance(0.5):
        with open(f"{folder}/leave_out.txt", "w", encoding="utf-8") as file:
            file.write("\n".join(options.excluded) + "\n")
        excluded = "leave_out.txt"
    else:
        excluded = ",".join(options.excluded) or "no"
    keys = {"polyOrder": options.order, "phaseVelocity": "yes" if options.phase_velocity else "no",
            "stepDate": ",".join(options.steps) or "no", "excludeDate": excluded, "pixelwiseGeometry": "no"}
    with open(f"{folder}/run.cfg", "w", encoding="utf-8") as file:
        file.writelines(f"mintpy.topographicResidual.{key} = {value}\n" for key, value in keys.items())
    return flags + ["-t", "run.cfg"]


def write_geometry(draw, path, dates, baselines, rows, cols):
    """Angles and ranges of each pixel, baselines of each pixel, or only some of these."""
    shape = rows, cols
    incidence = draw.random.uniform(25, 45, shape)
    slant_range = draw.random.uniform(7e5, 9e5, shape)
    for image in (incidence, slant_range):
        image[draw.where(shape, draw.one_of(0, 0.05))] = draw.one_of(0, np.nan)
    with open_new(draw, path) as file:
        if draw.chance(0.85):
            write_image(draw, file, "incidenceAngle", incidence, draw.one_of("<f4", ">f8"))
            if draw.chance(0.85):
                write_image(draw, file, "slantRangeDistance", slant_range, draw.one_of("<f4", ">f4"))
        if draw.chance(0.6):
            layers = [*range(len(dates)), *range(len(dates), len(dates) + draw.whole(0, 2))]
            names = [*dates, *(later + dates[0][8:] for later in ("20440101", "20440201"))]
            if draw.chance(0.4):
                layers = list(draw.random.permutation(layers))
            slope = 1 + 0.05 * draw.random.random(shape)
            values = np.append(baselines, [1.0, 2.0])[layers, None, None] * slope
            values[draw.where(values.shape, draw.one_of(0, 0.002))] = draw.one_of(np.nan, np.inf)
            file.create_dataset("bperp", data=values.astype("f4"), chunks=draw.one_of(None, True))
            file["date"] = np.array([names[i] for i in layers]).astype(f"S{len(dates[0])}")
        write_image(draw, file, "height", np.ones(shape), "<f4")
        write_attributes(draw, file, {"FILE_TYPE": "geometry", "LENGTH": rows, "WIDTH": cols})


def series(draw, baselines, rows, cols):
    """[D, L, W] m: motion, a DEM error, noise, and pixels without data."""
    shape = len(baselines), rows, cols
    values = np.cumsum(draw.random.normal(0, 0.01, shape), axis=0) + draw.random.normal(0, 0.003, shape)
    values += baselines[:, None, None] * draw.random.normal(0, 20, shape[1:]) / 5e5
    values[0] = 0
    values[draw.where(shape, draw.one_of(0, 0, 0.003))] = draw.one_of(np.nan, np.inf, -np.inf)
    values[:, draw.where(shape[1:], 0.08)] = 0
    for row, col in zip(*np.nonzero(draw.where(shape[1:], draw.one_of(0, 0.05)))):
        values[:, row, col] = 0  # whose mean is 0, and which is data
        values[1:3, row, col] = 0.25, -0.25
    return values


def write_series(draw, path, dates, baselines, rows, cols):
    attributes = {"FILE_TYPE": "timeseries", "LENGTH": rows, "WIDTH": cols, "STARTING_RANGE": 8.2e5,
                  "RANGE_PIXEL_SIZE": draw.real(2, 30), "HEIGHT": 698834.25, "UNIT": "m"}
    optional = {"REF_DATE": dates[draw.whole(0, len(dates) - 1)], "CENTER_LINE_UTC": draw.one_of(0, 42584.0),
                "CENTER_INCIDENCE_ANGLE": draw.real(25, 45), "EARTH_RADIUS": 6337286.5}
    attributes.update({name: value for name, value in optional.items() if draw.chance(0.6)})
    if draw.chance(0.15):
        attributes.update(Y_FIRST=35.0, X_FIRST=-91.0, Y_STEP=-0.001, X_STEP=0.001)
    with open_new(draw, path) as file:
        write_image(draw, file, "timeseries", series(draw, baselines, rows, cols), draw.one_of("<f4", "<f4", ">f4", "<f8"))
        file["date"] = np.array(dates).astype(f"S{len(dates[0])}")
        file["bperp"] = baselines.astype("f4")
        write_attributes(draw, file, attributes)


def write_scene(seed, folder):
    """Writes the files of a scene into the folder; gives the options."""
    draw = Draw(seed, 2)
    rows, cols = draw.whole(1, 17), draw.whole(1, 19)
    os.makedirs(f"{folder}/inputs")
    dates = some_dates(draw, draw.whole(4, 16))
    baselines = draw.random.normal(0, 100, len(dates)) if draw.chance(0.95) else np.full(len(dates), 40.0)
    options = choose_options(draw, dates)
    write_series(draw, f"{folder}/{SERIES}", dates, baselines, rows, cols)
    options.geometry = draw.chance(0.75)
    if options.geometry:
        write_geometry(draw, f"{folder}/{GEOMETRY}", dates, baselines, rows, cols)
    options.coherence = draw.chance(0.4)
    if options.coherence:
        quality = draw.random.random((rows, cols)) * draw.where((rows, cols), 0.9)
        write_map(draw, f"{folder}/temporalCoherence.h5", "temporalCoherence", quality, float_type(draw))
    options.flags = flags_of(draw, options, folder) + machine_flags(draw, rows, cols, folder)
    return options
