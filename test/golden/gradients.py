"""Golden edges and directions of 16-bit and floating-point pictures, by OpenCV and NumPy: python3 gradients.py, in this folder.

OpenCV's Canny takes bytes, or a gradient of 16-bit whole numbers. The picture has 13 bits, whose Sobel gradient just fits: as
16 bits each value is times 8, as floats times 8 / 65535, and thresholds are in the same units. A program that went through
8 bits would have other edges. Directions are float64 sums and numpy.arctan2. Licence: CC0 1.0.
"""

import json

import cv2
import numpy as np

LOW, HIGH = 600, 1500


def picture():
    """Luminance of the 16-bit photo in 13 bits, in the darkest eighth of the range: 8 bits would leave 32 levels."""
    rgb = np.load("u16/spices128x96.npy").astype(np.float64)
    grey = rgb @ [0.299, 0.587, 0.114] / 65535
    return np.round(grey * 1023).astype(np.int32)


def gradient(values):
    around = np.pad(values, 1, mode="edge")
    smooth_down = around[:-2] + 2 * around[1:-1] + around[2:]
    smooth_across = around[:, :-2] + 2 * around[:, 1:-1] + around[:, 2:]
    return smooth_down[:, 2:] - smooth_down[:, :-2], smooth_across[2:] - smooth_across[:-2]


def main():
    values = picture()
    across, down = gradient(values)
    low, high = LOW / 8, HIGH / 8
    edges = cv2.Canny(across.astype(np.int16), down.astype(np.int16), low, high, L2gradient=True)
    coarse = values >> 5
    coarse_across, coarse_down = gradient(coarse << 5)
    other = cv2.Canny(coarse_across.astype(np.int16), coarse_down.astype(np.int16), low, high, L2gradient=True)
    print("edges", np.mean(edges == 255), "of which 8 bits have other pixels", np.mean(edges != other))
    angle = np.where((across == 0) & (down == 0), 0, np.arctan2(-down, across)) % (2 * np.pi)
    np.save("edges/dark128x96_u16.npy", (values * 8).astype(np.uint16))
    np.save("edges/dark128x96_f32.npy", (values * 8 / 65535).astype(np.float32))
    np.save("edges/dark128x96__canny_L2.npy", edges)
    np.save("edges/dark128x96__direction.npy", (angle / (2 * np.pi)).astype(np.float32))

    manifest = json.load(open("canny_manifest.json"))
    manifest["cases"] = [case for case in manifest["cases"] if "fullScale" not in case]
    for name, full in (("u16", 65535), ("f32", 1)):
        manifest["cases"].append(
            {
                "id": f"canny_{name}",
                "op": "cv2.Canny of the 16-bit gradient of 13-bit values",
                "input": f"edges/dark128x96_{name}.npy",
                "fullScale": full,
                "border": "replicate",
                "smooth": None,
                "low": LOW * full / 65535,
                "high": HIGH * full / 65535,
                "norm": "l2",
                "expected": "edges/dark128x96__canny_L2.npy",
                "edgeShare": round(float(np.mean(edges == 255)), 5),
                "agreement": {"equal": 1, "f1": 1, "shareSlack": 0.001},
            }
        )
    manifest["about"] = manifest["about"].replace(
        "code values of the 3x3 Sobel gradient (weights as they are, not normalised);",
        "code values of the 3x3 Sobel gradient (weights as they are, not normalised) of a picture whose white is fullScale, "
        "255 where absent; Convolve's percent are of 4 times that, Sobel's slope of a step from black to white;",
    )
    with open("canny_manifest.json", "w") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")


main()
