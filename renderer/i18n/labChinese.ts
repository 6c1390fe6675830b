// Words of the tabs that look at a kernel — Separability, Frequency, Code — in Chinese.

import type { Catalogue } from './english';
import type { labEnglish } from './labEnglish';

export const labChinese: Pick<Catalogue, keyof typeof labEnglish> = {
  frequency: {
    long: '此核太大，无法写成网格：只以行核与列核给出。',
    gain: '零频增益',
    peak: '最大增益',
    phase: '相位',
    cutOff: '−{{level}} dB，{{direction}}',
    cyclesPerPixel: '{{value}} 周/像素',
    ringing: '边缘处的振铃',
    rings: '最多超出 {{percent}} %',
    ringsNot: '无',
  },
  code: {
    long: '此核太大，无法写成网格：没有文本形式。',
    format: '格式',
    text: '核的代码',
    copy: '复制',
    copied: '已复制',
    losses: '此代码不保留的内容',
  },
  frequencyPhase: { zero: '零', reversing: '零，负值处明暗反转', complex: '不为零：核会移位' },
  frequencyDirection: { horizontal: '水平', vertical: '垂直', radial: '径向' },
  codeTarget: {
    numpy: 'NumPy',
    scipy: 'SciPy',
    opencvPython: 'OpenCV (Python)',
    opencvCpp: 'OpenCV (C++)',
    matlab: 'MATLAB',
    imageMagick: 'ImageMagick 命令',
    glsl: 'GLSL',
    cuda: 'CUDA',
  },
  codeLoss: {
    border: '此处没有“{{wanted}}”边界；改用 {{used}}，边缘会不同。',
    alpha: '各通道单独滤波，透明通道也是；颜色不按透明度加权。',
    light: '对存储值滤波，而不是线性光。',
    range: '超出范围的值不作此处的处理：“{{wanted}}”。',
    size: '结果不裁剪到核完全落入的像素。',
    precision: '权重舍入到单精度。',
    depth: '结果按程序自身的像素（多为 16 位）舍入并截断到 0…100 %。',
    weights: '{{count}} 个权重超过许多设备可存为常量的 {{limit}} 个。',
  },
};
