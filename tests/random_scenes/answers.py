"""The products of invert-network as they have to be: names of files and datasets with their values in double, and for
each file the scale of the input in the unit of the product."""
import numpy as np

from inversion import RANK, Stack, is_redundant, open_pixels, quality_of

NAMES = {"unwrapPhase": ("timeseries", "temporalCoherence", "numInvIfgram"),
         "rangeOffset": ("timeseriesRg", "residualInvRg", "numInvOffRg"),
         "azimuthOffset": ("timeseriesAz", "residualInvAz", "numInvOffAz")}
ION = ("ion", "temporalCoherenceIon", "numInvIon")


def invert(folder, options):
    """None when no pair has data at the reference pixel, which is refused."""
    stack = Stack(folder, options)
    if stack.used == 0:
        return None
    network, wanted = stack.network, open_pixels(folder, options, stack)
    design, roots = network.b if options.velocity else network.a, stack.roots(options.weight)
    series = np.zeros((len(network.dates), *stack.shape))
    quality = np.full(stack.shape, np.nan if options.is_offset else 0.0)
    count = np.zeros(stack.shape)
    for at in zip(*np.nonzero(wanted)):
        y = stack.y[(slice(None), *at)].astype("f8")
        rows = ~np.isnan(y)
        if not is_redundant(network.a[rows], options.min_redundancy):
            continue
        root = roots[(rows, *at)].astype("f8")
        x, _, rank, _ = np.linalg.lstsq(design[rows] * root[:, None], y[rows] * root, rcond=RANK)
        series[(slice(1, None), *at)] = np.cumsum(x * network.steps) if options.velocity else x
        quality[at] = quality_of(options, y[rows] - design[rows] @ x, rank, len(x))
        count[at] = rows.sum()
    if stack.reference_pixel:
        quality[stack.reference_pixel] = 0 if options.is_offset else 1
        count[stack.reference_pixel] = stack.used
    bperp = np.append(0, np.linalg.lstsq(network.a, stack.bperp, rcond=RANK)[0])
    dates = np.array(network.dates)
    names = ION if "ion" in options.stack else NAMES[options.dataset]
    products = {f"{names[0]}.h5": {"timeseries": series * stack.metres(), "date": dates, "bperp": bperp},
                f"{names[1]}.h5": {"residual" if options.is_offset else "temporalCoherence": quality},
                f"{names[2]}.h5": {"mask": count}}
    if options.covariance_date:
        ending = "Cov.h5" if options.is_offset else "DecorCov.h5"
        products[names[0] + ending] = {"timeseries": covariance(stack, wanted), "date": dates}
    largest = np.nanmax(np.abs(stack.y), initial=0)
    return products, {f"{names[0]}.h5": largest * abs(stack.metres()), f"{names[1]}.h5": largest}


def covariance(stack, wanted):
    """[D, D, L, W] m^2 of the unweighted solution, relative to the date that was asked for."""
    options, network = stack.options, stack.network
    free = [i for i, date in enumerate(network.dates) if date != options.covariance_date]
    roots = stack.roots("var")
    result = np.zeros((len(network.dates), len(network.dates), *stack.shape))
    for at in zip(*np.nonzero(wanted)):
        rows = ~np.isnan(stack.y[(slice(None), *at)])
        design = network.differences[rows][:, free]
        if not is_redundant(design, options.min_redundancy):
            continue
        spread = np.linalg.pinv(design, rcond=RANK) / roots[(rows, *at)].astype("f8")
        result[(slice(None), slice(None), *at)][np.ix_(free, free)] = spread @ spread.T
    return result * stack.metres() ** 2
