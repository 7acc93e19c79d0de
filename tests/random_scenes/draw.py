"""Random choices from one seed, and files whose way of being stored is such a choice."""
import datetime

import h5py
import numpy as np


class Draw:
    def __init__(self, *seed):
        self.random = np.random.default_rng(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def whole(self, lowest, highest):
        return int(self.random.integers(lowest, highest + 1))

    def real(self, lowest, highest):
        return float(self.random.uniform(lowest, highest))

    def one_of(self, *values):
        return values[self.whole(0, len(values) - 1)]

    def where(self, shape, fraction):
        return self.random.random(shape) < fraction


def some_dates(draw, count):
    """In time order; some scenes have times of day."""
    day = datetime.datetime(2017, 1, 1) + datetime.timedelta(days=draw.whole(0, 700))
    with_time = draw.chance(0.1)
    dates = []
    for _ in range(count):
        minutes = draw.whole(0, 1439) if with_time else 0
        dates.append((day + datetime.timedelta(minutes=minutes)).strftime("%Y%m%dT%H%M" if with_time else "%Y%m%d"))
        day += datetime.timedelta(days=6 * draw.one_of(1, 1, 2, 2, 3, 10))
    return dates


def float_type(draw):
    return draw.one_of("<f4", "<f4", "<f4", ">f4", "<f8", ">f8", "<f2")


def storage(draw, shape):
    """Arguments of create_dataset: layout, compression, filters."""
    layout = draw.one_of("contiguous", "guessed", "image", "odd", "odd")
    if layout == "contiguous":
        return {}
    image = (1,) * (len(shape) - 2) + tuple(shape[-2:])
    how = {"chunks": {"guessed": True, "image": image, "odd": tuple(draw.whole(1, n) for n in shape)}[layout]}
    how["compression"] = draw.one_of(None, "lzf", "gzip")
    if how["compression"] == "gzip":
        how["compression_opts"] = draw.whole(1, 9)
    how["shuffle"] = draw.chance(0.4)
    how["fletcher32"] = draw.chance(0.3)
    if draw.chance(0.3):
        how["maxshape"] = (None, *shape[1:])
    return how


def write_image(draw, file, name, values, dtype):
    """An image of one or more layers; now and then a layer is never written, so that its fill value is read."""
    how = storage(draw, values.shape)
    if values.ndim == 2 or draw.chance(0.9):
        return file.create_dataset(name, data=values.astype(dtype), **how)
    if np.dtype(dtype).kind == "f" and draw.chance(0.3):
        how["fillvalue"] = np.nan
    dataset = file.create_dataset(name, values.shape, dtype, **how)
    absent = draw.whole(0, len(values) - 1)
    for layer in range(len(values)):
        if layer != absent:
            dataset[layer] = values[layer].astype(dtype)
    return dataset


def write_attributes(draw, file, attributes):
    """Texts as MintPy writes them, fixed texts, or numbers: all are read."""
    for name, value in attributes.items():
        form = draw.one_of("text", "text", "bytes", "number")
        if form == "number" and not isinstance(value, str):
            file.attrs[name] = value
        else:
            file.attrs[name] = np.bytes_(str(value)) if form == "bytes" else str(value)


def open_new(draw, path):
    return h5py.File(path, "w", libver=draw.one_of("earliest", "earliest", "earliest", "latest"))


def write_map(draw, path, name, values, dtype):
    with open_new(draw, path) as file:
        write_image(draw, file, name, values, dtype)
        write_attributes(draw, file, {"FILE_TYPE": "mask", "LENGTH": values.shape[0], "WIDTH": values.shape[1]})


def machine_flags(draw, rows, cols, folder):
    """What must not change the answer: threads, tiles, memory, runner."""
    flags = ["--threads", str(draw.whole(1, 4))]
    if draw.chance(0.5):
        flags += ["--tile", f"{draw.whole(1, rows)}x{draw.whole(1, cols)}"]
    if draw.chance(0.5):
        flags += ["--memory", draw.one_of("80M", "128M", "1G")]
    if draw.chance(0.3):
        with open(f"{folder}/machine.toml", "w", encoding="utf-8") as file:
            file.write(f'[run]\nrunner = "{draw.one_of("serial", "graph")}"\n[tiles]\nslots = {draw.whole(1, 5)}\n')
            file.write(f"[storage]\nreaders = {draw.whole(1, 3)}\nwriters = {draw.whole(1, 3)}\n")
        flags += ["--config", "machine.toml"]
    return flags
