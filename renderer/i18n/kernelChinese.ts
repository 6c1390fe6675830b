// The words of the Kernel tab's own tools in simplified Chinese.

import type { Words } from './english';
import type { kernelEnglish } from './kernelEnglish';

export const kernelChinese: Words<typeof kernelEnglish> = {
  grid: {
    hint: '方向键移动，回车向下。空格绘制，Delete 清零，Page Up 与 Page Down 微调。',
    tools: '工具',
    type: '输入：点按单元格后键入；拖动即绘制',
    paint: '绘制',
    line: '直线（Shift 加拖动）',
    erase: '擦除（右键）',
    anchor: '移动锚点（Ctrl 加拖动）',
    symmetry: '绘制与输入时的对称',
    symmetryNone: '无对称',
    leftRight: '左右相同',
    upDown: '上下相同',
    fourFold: '四个象限相同',
    radial: '到中心等距处相同',
    view: '视图',
    whole: '以颜色显示全部单元格',
    numbers: '以数字显示单元格',
    value: '数值',
    strength: '强度',
    size: '笔刷',
    falloff: '柔和',
    valueHint: '笔刷写入的权重。按住 Alt 点按可从网格取值。',
    strengthHint: '绘制的权重向该数值移动多少',
    sizeHint: '直径的单元格数',
    falloffHint: '笔刷向边缘淡出的比例',
    legend: '颜色从 {{from}} 到 {{to}}',
    readingAt: '第 {{row}} 行，第 {{column}} 列：{{weight}}',
    readingSize: '{{width}}×{{height}} 个权重',
    readingSums: '和 {{sum}} · 最大 {{peak}}',
  },
  orientation: {
    point: '一个亮点变为',
    pointPicture: '{{orientation}}对一个亮点的结果',
  },
  field: {
    zeroSum: '权重之和为 0，因此除数为 1。',
    lost: '较小的网格截掉了 {{percent}} % 的权重。撤销可恢复。',
  },
};
