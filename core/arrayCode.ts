// A kernel as code for NumPy, SciPy, OpenCV from Python, and MATLAB. core/kernelCode.ts gives them the kernel and says what they
// lose.

import { borderComment, borderValue, type CodeKernel, type CodeWords, isConstant, opencvBorders } from './codeText';
import type { Border } from './pass';

/** `[[1, 2], [3, 4]]` over several lines. */
function pythonRows(rows: readonly (readonly number[])[]): string {
  return `[\n${rows.map((row) => `    [${row.join(', ')}],`).join('\n')}\n]`;
}

/** The code value that a share of full scale is, in Python; 0 stays 0. */
const pythonShare = (share: number) => (share === 0 ? '0' : `${share} * full_scale`);

const pythonScale = ({ comment }: CodeWords) =>
  `    # ${comment('shares')}\n` +
  '    full_scale = np.iinfo(image.dtype).max if np.issubdtype(image.dtype, np.integer) else 1.0\n';

const numpyModes: Readonly<Record<Border['kind'], string>> = {
  zero: 'constant',
  constant: 'constant',
  replicate: 'edge',
  reflect: 'symmetric',
  mirror: 'reflect',
  wrap: 'wrap',
};

export function numpyCode({ rows, divisor, kernel, settings, reach, words }: CodeKernel): string {
  const { border, size } = settings;
  const mode = numpyModes[border.kind];
  const value = isConstant(border) ? `, constant_values=${pythonShare(borderValue(border))}` : '';
  const pad =
    size === 'valid'
      ? '    padded = image.astype(float)\n'
      : `    # ${words.comment('padded', { border: mode })}\n` +
        `    around = [(${reach.up}, ${reach.down}), (${reach.left}, ${reach.right})] + [(0, 0)] * (image.ndim - 2)\n` +
        `    padded = np.pad(image.astype(float), around, mode='${mode}'${value})\n`;
  return (
    `import numpy as np\n\n` +
    `kernel = np.array(${pythonRows(rows)}, dtype=float)\n\n\n` +
    `def filter_image(image):\n` +
    `    """${words.comment('pythonImage')}"""\n` +
    pythonScale(words) +
    pad +
    `    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape, axis=(0, 1))\n` +
    `    return np.einsum('...ij,ij->...', windows, kernel) / ${divisor} + ${pythonShare(kernel.bias)}\n`
  );
}

const scipyModes: Readonly<Record<Border['kind'], string>> = {
  zero: 'constant',
  constant: 'constant',
  replicate: 'nearest',
  reflect: 'reflect',
  mirror: 'mirror',
  wrap: 'wrap',
};

export function scipyCode({ rows, divisor, kernel, settings, reach, words }: CodeKernel): string {
  const { border, size } = settings;
  const mode = scipyModes[border.kind];
  const value = isConstant(border) ? `, cval=${pythonShare(borderValue(border))}` : '';
  const origin = `(${kernel.anchorY - Math.floor(kernel.height / 2)}, ${kernel.anchorX - Math.floor(kernel.width / 2)})`;
  const crop =
    size === 'valid'
      ? `    height, width = image.shape[:2]\n` +
        `    result = result[${reach.up}:height - ${reach.down}, ${reach.left}:width - ${reach.right}]\n`
      : '';
  return (
    `import numpy as np\nfrom scipy import ndimage\n\n` +
    `kernel = np.array(${pythonRows(rows)}, dtype=float)\n\n\n` +
    `def filter_image(image):\n` +
    `    """${words.comment('pythonImage')}"""\n` +
    pythonScale(words) +
    `    colour = image.ndim == 3\n` +
    `    weights = kernel[:, :, np.newaxis] if colour else kernel\n` +
    `    # ${words.comment('correlate', { border: mode })}\n` +
    `    origin = ${origin} + ((0,) if colour else ())\n` +
    `    result = ndimage.correlate(image.astype(float), weights, mode='${mode}'${value}, origin=origin)\n` +
    crop +
    `    return result / ${divisor} + ${pythonShare(kernel.bias)}\n`
  );
}

export function opencvPythonCode({ rows, divisor, kernel, settings, reach, words }: CodeKernel): string {
  const { border, size } = settings;
  const { up, down, left, right } = reach;
  const word = opencvBorders[border.kind];
  const frame =
    size === 'valid'
      ? `    # ${words.comment('wholeWindows')}\n    padded = image.astype(np.float64)\n`
      : `    # ${words.comment('borderFirst', { border: word })}\n` +
        `    padded = cv2.copyMakeBorder(image.astype(np.float64), ${up}, ${down}, ${left}, ${right}, cv2.${word}` +
        `${isConstant(border) ? `, value=[${pythonShare(borderValue(border))}] * 4` : ''})\n`;
  return (
    `import cv2\nimport numpy as np\n\n` +
    `kernel = np.array(${pythonRows(rows)}, dtype=np.float64) / ${divisor}\n\n\n` +
    `def filter_image(image):\n` +
    `    """${words.comment('pythonImage')}"""\n` +
    pythonScale(words) +
    frame +
    `    result = cv2.filter2D(padded, cv2.CV_64F, kernel, anchor=(${kernel.anchorX}, ${kernel.anchorY}), delta=${pythonShare(kernel.bias)})\n` +
    `    height, width = padded.shape[:2]\n` +
    `    return result[${up}:height - ${down}, ${left}:width - ${right}]\n`
  );
}

/** Zero-based indices i of a line of n samples, brought inside, as MATLAB writes it. */
const matlabPlaces: Readonly<Record<Exclude<Border['kind'], 'zero' | 'constant'>, string>> = {
  replicate: 'min(max(i, 0), n - 1)',
  reflect: 'min(mod(i, 2 * n), 2 * n - 1 - mod(i, 2 * n))',
  mirror: 'min(mod(i, max(1, 2 * n - 2)), max(1, 2 * n - 2) - mod(i, max(1, 2 * n - 2)))',
  wrap: 'mod(i, n)',
};

function matlabPad({ settings, kernel, reach }: CodeKernel): string {
  const { border, size } = settings;
  if (size === 'valid') return '  padded = double(image);\n';
  switch (border.kind) {
    case 'zero':
    case 'constant':
      return (
        `  padded = ${borderValue(border)} * fullScale * ones(height + ${kernel.height - 1}, width + ${kernel.width - 1}, channels);\n` +
        `  padded(${reach.up} + (1:height), ${reach.left} + (1:width), :) = double(image);\n`
      );
    default:
      return (
        `  place = @(i, n) ${matlabPlaces[border.kind]} + 1;\n` +
        `  rows = place(${-reach.up}:height - 1 + ${reach.down}, height);\n` +
        `  columns = place(${-reach.left}:width - 1 + ${reach.right}, width);\n` +
        `  padded = double(image(rows, columns, :));\n`
      );
  }
}

export function matlabCode(code: CodeKernel): string {
  const { rows, divisor, kernel, settings, words } = code;
  return (
    `function result = filterImage(image)\n` +
    `% ${words.comment('matlabImage')}\n` +
    `% ${words.comment('conv2')}\n` +
    `  kernel = [\n${rows.map((row) => `    ${row.join(' ')}`).join('\n')}\n  ];\n` +
    `  fullScale = 1;\n` +
    `  if isinteger(image), fullScale = double(intmax(class(image))); end\n` +
    `  [height, width, channels] = size(image);\n` +
    `  % ${settings.size === 'valid' ? words.comment('noBorder') : borderComment(code)}\n` +
    matlabPad(code) +
    `  result = zeros(size(padded, 1) - ${kernel.height - 1}, size(padded, 2) - ${kernel.width - 1}, channels);\n` +
    `  for channel = 1:channels\n` +
    `    sums = conv2(padded(:, :, channel), rot90(kernel, 2), 'valid');\n` +
    `    result(:, :, channel) = sums / ${divisor} + ${kernel.bias} * fullScale;\n` +
    `  end\n` +
    `end\n`
  );
}
