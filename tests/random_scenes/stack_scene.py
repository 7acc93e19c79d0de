"""A stack of interferograms or offsets drawn from a seed, and the maps beside it."""
import os

import numpy as np

from draw import (Draw, float_type, machine_flags, open_new, some_dates, storage, write_attributes, write_image,
                  write_map)
from options import STACKS, choose_options, flags_of

def some_pairs(draw, count):
    """Indices of dates: neighbours, separate or interleaved clusters, one reference, or anything."""
    kind = draw.one_of("near", "near", "clusters", "interleaved", "star", "random")
    reach = draw.whole(1, 4)
    near = [(a, b) for a in range(count) for b in range(a + 1, min(a + reach, count - 1) + 1)]
    groups = draw.whole(2, 3)
    if kind == "clusters":
        pairs = [(a, b) for a, b in near if a * groups // count == b * groups // count]
    elif kind == "interleaved":
        pairs = [(a, a + groups) for a in range(count - groups)]
    elif kind == "star":
        center = draw.whole(0, count - 1)
        pairs = [(center, b) for b in range(count) if b != center]
    elif kind == "random":
        wanted = draw.whole(1, 3 * count)
        pairs = sorted({tuple(sorted(draw.random.choice(count, 2, replace=False).tolist())) for _ in range(wanted)})
    else:
        pairs = near + [(0, count - 1)]
    pairs = pairs or [(0, 1)]
    if draw.chance(0.3):
        pairs = [(b, a) if draw.chance(0.4) else (a, b) for a, b in pairs]
    if draw.chance(0.04):
        pairs.append((1, 1))
    return [pairs[i] for i in draw.random.permutation(len(pairs))] if draw.chance(0.4) else pairs


def observations(draw, pairs, count, rows, cols):
    """[M, rows, cols] rad or pixels, with a constant for each pair that referencing removes."""
    history = np.cumsum(draw.random.normal(0, 1, (count, rows, cols)), axis=0) * draw.one_of(0.3, 2)
    samples = np.stack([history[b] - history[a] for a, b in pairs])
    samples += draw.random.normal(0, draw.one_of(0.01, 0.5), samples.shape)
    samples += draw.random.uniform(-9, 9, (len(pairs), 1, 1))
    return np.round(samples * 32) / 32 if draw.chance(0.25) else samples


def spoil(draw, samples, pairs, count):
    """Holes of every kind: scattered, cuts of the network, lost dates, few pairs, blocks without data."""
    shape = samples.shape
    samples[draw.where(shape, draw.one_of(0, 0, 0, 0.02, 0.1, 0.3))] = np.nan
    samples[draw.where(shape, draw.one_of(0, 0, 0.03))] = 0
    samples[draw.where(shape, draw.one_of(0, 0, 0, 0.003))] = draw.one_of(np.inf, -np.inf)
    ends = np.sort(np.array(pairs), axis=1)
    fraction = draw.one_of(0, 0.15)
    for row, col in zip(*np.nonzero(draw.where(shape[1:], fraction))):
        date = draw.whole(0, count - 1)
        kind = draw.one_of("cut", "lost", "few")
        if kind == "cut":
            samples[(ends[:, 0] < date) & (ends[:, 1] >= date), row, col] = np.nan
        elif kind == "lost":
            samples[(ends == date).any(axis=1), row, col] = np.nan
        else:
            samples[draw.whole(1, 3):, row, col] = np.nan
    if draw.chance(0.3):
        samples[:, : draw.whole(1, shape[1]), : draw.whole(1, max(1, shape[2] // 2))] = draw.one_of(0, np.nan)


def settle_reference(draw, samples, keep, row, col):
    """The reference pixel has data in every pair, or in some: the others are left out, or taken as referenced."""
    bad = ~np.isfinite(samples[:, row, col]) | (samples[:, row, col] == 0)
    samples[bad, row, col] = draw.random.uniform(1, 2, bad.sum())
    if not draw.chance(0.25):
        return
    for pair in np.nonzero(keep)[0][1:]:
        if draw.chance(0.3):
            samples[pair, row, col] = draw.one_of(0, 0, np.nan)
        if draw.chance(0.1):
            samples[pair, max(row - 2, 0):row + 3, max(col - 2, 0):col + 3] = draw.one_of(0, np.nan)


def coherences(draw, shape):
    values = draw.random.random(shape) * draw.one_of(0.9, 1) + draw.one_of(0, 0.05)
    if draw.chance(0.4):  # on the edges of the bins and thresholds
        values = np.round(values * 200) / 200 + draw.one_of(0, 0.0025)
    values[draw.where(shape, draw.one_of(0, 0.02))] = np.nan
    values[draw.where(shape, 0.02)] = draw.one_of(0, 1)
    return np.clip(values, 0, 1)


def write_stack(draw, path, options, rows, cols):
    """Writes the file; gives its dates."""
    count = draw.whole(3, 13)
    dates, pairs = some_dates(draw, count), some_pairs(draw, count)
    keep = ~draw.where(len(pairs), draw.one_of(0, 0, 0.2))
    keep[next(i for i, (a, b) in enumerate(pairs) if a != b)] = True
    samples = observations(draw, pairs, count, rows, cols)
    spoil(draw, samples, pairs, count)
    row, col = draw.whole(0, rows - 1), draw.whole(0, cols - 1)
    settle_reference(draw, samples, keep, row, col)
    coherence = coherences(draw, samples.shape)
    labels = draw.where(samples.shape, 0.92) * draw.whole(1, 3)
    std = 0.02 + 0.3 * (1 - coherence)
    attributes = {"FILE_TYPE": "ifgramStack", "LENGTH": rows, "WIDTH": cols, "WAVELENGTH": draw.real(0.03, 0.24),
                  "ALOOKS": draw.whole(1, 9), "RLOOKS": draw.whole(1, 30), "RANGE_PIXEL_SIZE": draw.real(2, 30),
                  "AZIMUTH_PIXEL_SIZE": draw.real(2, 50), "HEIGHT": 698834.25, "EARTH_RADIUS": 6337286.5,
                  "PROCESSOR": draw.one_of("isce", "roipac", "gamma", "cosicorr")}
    if not options.is_offset or draw.chance(0.6):
        attributes.update(REF_Y=row, REF_X=col)
    if draw.chance(0.3):
        attributes["NCORRLOOKS"] = draw.real(0.4, 90)
    with open_new(draw, path) as file:
        write_image(draw, file, options.dataset, samples, float_type(draw))
        if options.is_offset:
            write_image(draw, file, options.dataset + "Std", std, float_type(draw))
            write_image(draw, file, "offsetSNR", 30 * coherence, float_type(draw))
        else:
            write_image(draw, file, "coherence", coherence, float_type(draw))
            write_image(draw, file, "connectComponent", labels, draw.one_of("<i2", ">i4", "u1", "<i8"))
        texts = np.array([[dates[a], dates[b]] for a, b in pairs])
        file["date"] = texts.astype(f"S{len(dates[0])}")
        file["dropIfgram"] = keep.astype(draw.one_of(bool, "u1", "i2"))
        bperp = draw.random.normal(0, 100, len(pairs)).astype("f4")
        file.create_dataset("bperp", data=bperp, **storage(draw, bperp.shape))
        write_attributes(draw, file, attributes)
    return sorted({dates[i] for pair, kept in zip(pairs, keep) if kept and pair[0] != pair[1] for i in pair})


def write_masks(draw, folder, options, rows, cols):
    if draw.chance(0.3):
        options.water_mask = draw.one_of("waterMask.h5", "water.h5")
        water = draw.where((rows, cols), 0.8)
        write_map(draw, f"{folder}/{options.water_mask}", draw.one_of("waterMask", "mask"), water,
                  draw.one_of(bool, "u1", "<f4"))
    if draw.chance(0.3):
        names = {"phase": "avgSpatialCoh.h5", "ion": "avgSpatialCohIon.h5"}
        kind = "ion" if options.stack == STACKS["ion"] else "phase"
        name = "avgSpatialSNR.h5" if options.is_offset else names[kind]
        average = draw.random.random((rows, cols)) * draw.where((rows, cols), 0.9)
        average[draw.where((rows, cols), 0.1)] = np.nan
        fits = draw.chance(0.85)
        write_map(draw, f"{folder}/{name}", "average", average if fits else np.ones((rows + 1, cols)), float_type(draw))
        options.quality = name if fits else ""


def write_scene(seed, folder):
    """Writes the files of a scene into the folder; gives the options."""
    draw = Draw(seed, 1)
    rows, cols = draw.whole(1, 17), draw.whole(1, 19)
    os.makedirs(f"{folder}/inputs")
    options = choose_options(draw)
    dates = write_stack(draw, f"{folder}/{options.stack}", options, rows, cols)
    write_masks(draw, folder, options, rows, cols)
    if draw.chance(0.2):
        options.covariance_date = dates[draw.whole(0, len(dates) - 1)]
        with open(f"{folder}/smallbaselineApp.cfg", "w", encoding="utf-8") as file:
            file.write(f"mintpy.reference.date = {options.covariance_date}\n")
    options.flags = flags_of(draw, options, folder) + machine_flags(draw, rows, cols, folder)
    return options
