"""Series that are packed, for the benches in which decoding counts."""
import h5py


def pack(source, target, **filters):
    """Copies a file of MintPy's; its three-dimensional datasets get these chunks and filters, as h5py names them."""
    with h5py.File(source, "r") as plain, h5py.File(target, "w") as packed:
        packed.attrs.update(plain.attrs)
        for name, dataset in plain.items():
            packed.create_dataset(name, data=dataset[()], **(filters if dataset.ndim == 3 else {}))
