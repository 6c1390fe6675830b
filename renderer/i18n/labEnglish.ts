// Words of the tabs that look at a kernel — Separability, Frequency, Code — in English.

export const labEnglish = {
  frequency: {
    long: 'This kernel is too large for a grid: it is known by its rows and columns.',
    gain: 'Gain at frequency 0',
    peak: 'Peak gain',
    phase: 'Phase',
    cutOff: '−{{level}} dB, {{direction}}',
    cyclesPerPixel: '{{value}} cycles/pixel',
    ringing: 'Ringing at an edge',
    rings: 'up to {{percent}} % beyond it',
    ringsNot: 'none',
  },
  code: {
    long: 'This kernel is too large for a grid: it has no text.',
    format: 'Format',
    text: 'The kernel as code',
    copy: 'Copy',
    copied: 'Copied',
    losses: 'What this code does not keep',
  },
  frequencyPhase: {
    zero: 'zero',
    reversing: 'zero, but reversed where negative',
    complex: 'not zero: the kernel shifts',
  },
  frequencyDirection: { horizontal: 'horizontal', vertical: 'vertical', radial: 'radial' },
  codeTarget: {
    numpy: 'NumPy',
    scipy: 'SciPy',
    opencvPython: 'OpenCV (Python)',
    opencvCpp: 'OpenCV (C++)',
    matlab: 'MATLAB',
    imageMagick: 'ImageMagick command',
    glsl: 'GLSL',
    cuda: 'CUDA',
  },
  codeLoss: {
    border: 'The border “{{wanted}}” is not known here; {{used}} is used, and the rim differs.',
    alpha: 'Every channel is filtered alone, alpha too; colours are not weighted by alpha.',
    light: 'Stored values are filtered, not linear light.',
    range: 'What lies out of range is not treated as here: “{{wanted}}”.',
    size: 'The result is not cropped to the pixels whose whole window lies inside.',
    precision: 'Weights are rounded to single precision.',
    depth: 'Results are rounded and cut to 0…100 % of the pixels of the build, most often 16 bits.',
    weights: '{{count}} weights are more than the {{limit}} that many devices hold as constants.',
  },
} as const;
