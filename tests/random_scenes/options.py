"""The options of invert-network, drawn from a seed: what the program is told and what the reference knows."""
from dataclasses import dataclass, field

STACKS = {"phase": "inputs/ifgramStack.h5", "ion": "inputs/ionStack.h5"}


@dataclass
class Options:
    """What was asked for, as the reference needs it."""
    stack: str
    dataset: str
    weight: str = "var"
    mask_dataset: str = ""
    mask_threshold: float = 0.4
    min_redundancy: float = 1.0
    velocity: bool = True
    skip_reference: bool = False
    covariance_date: str = ""
    water_mask: str = ""
    quality: str = ""  # a map that leaves pixels out where it is 0
    flags: list = field(default_factory=list)

    @property
    def is_offset(self):
        return "Offset" in self.dataset


def choose_options(draw):
    kind = draw.one_of("phase", "phase", "phase", "phase", "ion", "offset")
    dataset = draw.one_of("rangeOffset", "azimuthOffset") if kind == "offset" else "unwrapPhase"
    options = Options(STACKS.get(kind, STACKS["phase"]), dataset)
    options.weight = draw.one_of("var", "no") if kind == "offset" else draw.one_of("var", "var", "fim", "coh", "no")
    masks = ("offsetSNR", dataset + "Std") if kind == "offset" else ("coherence", "connectComponent")
    options.mask_dataset = draw.one_of("", "", *masks)
    thresholds = {"offsetSNR": draw.one_of(2.0, 8.0), dataset + "Std": draw.one_of(0.12, 0.25)}
    options.mask_threshold = thresholds.get(options.mask_dataset, draw.one_of(0.05, 0.1025, 0.2, 0.4))
    options.min_redundancy = draw.one_of(1.0, 1.0, 1.0, 0.0, 2.0, 2.5)
    options.velocity = draw.chance(0.7)
    options.skip_reference = draw.chance(0.12)
    return options


def flags_of(draw, options, folder):
    """The same wishes as flags, or as a template."""
    flags = ["-i", options.dataset] if options.is_offset or draw.chance(0.3) else []
    flags += ["--skip-ref"] * options.skip_reference + ["--calc-cov"] * bool(options.covariance_date)
    if draw.chance(0.5):
        flags += ["-w", options.weight, f"--mr={options.min_redundancy}", "--mt", str(options.mask_threshold)]
        flags += [] if options.velocity else ["--min-norm-phase"]
        flags += ["--mask-dset", options.mask_dataset] if options.mask_dataset else []
        return flags + (["-m", options.water_mask] if options.water_mask else [])
    keys = {"weightFunc": options.weight, "minRedundancy": options.min_redundancy,
            "maskThreshold": options.mask_threshold, "minNormVelocity": "yes" if options.velocity else "no",
            "maskDataset": options.mask_dataset or "no", "waterMaskFile": options.water_mask or "auto"}
    with open(f"{folder}/run.cfg", "w", encoding="utf-8") as file:
        file.writelines(f"mintpy.networkInversion.{key} = {value}  # drawn\n" for key, value in keys.items())
    return flags + ["-t", "run.cfg"]
