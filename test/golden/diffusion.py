"""Golden results of edge-preserving diffusion, by NumPy: python3 diffusion.py, in this folder.

Perona and Malik, "Scale-Space and Edge Detection Using Anisotropic Diffusion", IEEE TPAMI 12(7), 1990, equations 7 and 8:
four neighbours, whole pictures at once, float64. All channels share one edge-stopping value g(s): s is the root of the mean
square of the colours' differences as shares of full scale, and where alpha is filtered the square of its difference adds to
s * s. Weighted: colours times alpha diffuse, and are divided by the diffused alpha. Licence: CC0 1.0.
"""

import json
import os

import numpy as np

PAD = {"zero": "constant", "constant": "constant", "replicate": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap"}


def padded(picture, border, value):
    """One pixel more on each side. `value`: the outside of a constant border, for each channel."""
    if PAD[border] != "constant":
        return np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode=PAD[border])
    rows, columns, channels = picture.shape
    around = np.empty((rows + 2, columns + 2, channels))
    around[...] = value
    around[1:-1, 1:-1] = picture
    return around


def step(picture, case):
    alpha = case["alpha"]
    weighted = alpha == "weighted"
    outside = np.full(picture.shape[2], float(case.get("borderValue", 0)))
    working = picture.copy()
    if weighted:
        working[..., :-1] *= working[..., -1:]
        outside[:-1] *= outside[-1]
    around = padded(working, case["border"], outside)
    if case.get("valid"):
        around, working = working, working[1:-1, 1:-1]
    total = np.zeros_like(working)
    for rows, columns in (((0, -2), (1, -1)), ((2, None), (1, -1)), ((1, -1), (0, -2)), ((1, -1), (2, None))):
        difference = around[slice(*rows), slice(*columns)] - working
        colours = difference if alpha == "none" else difference[..., :-1]
        squares = np.mean(colours**2, axis=2, keepdims=True)
        if alpha in ("weighted", "straight"):
            squares = squares + difference[..., -1:] ** 2
        ratio = squares / case["conductance"] ** 2
        total += (np.exp(-ratio) if case["stopping"] == "exponential" else 1 / (1 + ratio)) * difference
    result = working + case["rate"] * total
    if weighted:
        there = result[..., -1:]
        result[..., :-1] = np.where(np.abs(there) < 1e-6, 0, result[..., :-1] / np.where(there == 0, 1, there))
    if alpha == "colourOnly":
        result[..., -1] = working[..., -1]
    return result


def share(samples):
    full = {"uint8": 255.0, "uint16": 65535.0}.get(samples.dtype.name, 1.0)
    return samples.astype(np.float64) / full


def pictures():
    random = np.random.default_rng(20)

    def drawn(rows, columns, channels):
        rough = random.random((rows, columns, channels))
        flat = (np.arange(columns)[None, :, None] > columns / 2) * 0.5
        return 0.4 * rough + flat

    see_through = drawn(9, 12, 4)
    see_through[..., 3] = np.clip(2 * random.random((9, 12)) - 0.5, 0, 1)
    broken = drawn(8, 9, 3)
    broken[2, 3, 1] = np.nan
    broken[6, 0, 0] = np.inf
    return {
        "one": np.array([[[0.25]]], np.float32),
        "column": drawn(7, 1, 1).astype(np.float32),
        "grey": drawn(11, 13, 1).astype(np.float32),
        "bytes": np.round(255 * drawn(9, 17, 3)).astype(np.uint8),
        "words": np.round(65535 * drawn(10, 7, 3)).astype(np.uint16),
        "alpha": see_through.astype(np.float32),
        "byteAlpha": np.round(255 * see_through).astype(np.uint8),
        "broken": broken.astype(np.float32),
    }


def main():
    os.makedirs("diffusion", exist_ok=True)
    inputs = pictures()
    for name, samples in inputs.items():
        np.save(f"diffusion/{name}.npy", samples)
    cases = []

    def add(name, border, stopping, conductance, rate, repeat, alpha="none", **more):
        case = {"id": f"{name}-{len(cases)}", "input": f"diffusion/{name}.npy", "border": border, "stopping": stopping,
                "conductance": conductance, "rate": rate, "repeat": repeat, "alpha": alpha, **more}
        result = share(inputs[name])
        with np.errstate(invalid="ignore", over="ignore"):
            for _ in range(repeat):
                result = step(result, case)
        case["expected"] = f"diffusion/expected-{len(cases):02}.npy"
        np.save(case["expected"], result)
        cases.append(case)

    for border in PAD:
        more = {"borderValue": 0.75} if border == "constant" else {}
        add("grey", border, "exponential", 0.1, 0.2, 3, **more)
        add("bytes", border, "rational", 0.05, 0.25, 4, **more)
    for stopping in ("exponential", "rational"):
        for alpha in ("weighted", "straight", "colourOnly"):
            add("alpha", "mirror", stopping, 0.3, 0.25, 2, alpha)
            add("byteAlpha", "constant", stopping, 0.3, 0.2, 2, alpha, borderValue=0.5)
        add("words", "reflect", stopping, 0.08, 0.15, 5)
        add("column", "mirror", stopping, 0.1, 0.25, 2)
        add("one", "zero", stopping, 0.2, 0.25, 1)
        add("broken", "replicate", stopping, 0.1, 0.25, 2)
    add("one", "wrap", "exponential", 0.2, 0.25, 3)
    add("grey", "mirror", "exponential", 0.1, 0.25, 40)
    add("bytes", "mirror", "exponential", 0.2, 0.2, 2, valid=True)
    with open("diffusion_manifest.json", "w", encoding="utf-8") as file:
        json.dump({"computedBy": f"NumPy {np.__version__}", "cases": cases}, file, indent=1)
        file.write("\n")


main()
