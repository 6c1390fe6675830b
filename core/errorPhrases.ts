// Chinese for the short English words that failures carry as their subject, expectation and actual value. What is not
// listed (file names, numbers, messages of the system) stays as it is.

const whole: Readonly<Record<string, string>> = {
  width: '宽度',
  height: '高度',
  anchor: '锚点',
  weights: '权重',
  divisor: '除数',
  bias: '偏移',
  stack: '滤镜列表',
  engine: '引擎',
  'a finite number': '有限的数',
  'a finite number other than 0': '不为 0 的有限数',
  'a number': '数字',
  'not built yet': '尚未实现',
  'a kernel of rank 1': '秩为 1 的卷积核',
  'no permission': '没有权限',
  'a read-only disk': '磁盘为只读',
  'a folder of that name': '已有同名文件夹',
  'a device or pipe of that name': '同名的设备或管道',
  'a file in use': '文件正被使用',
  'a name that is too long': '名称过长',
  'a file': '文件',
  'a device or pipe': '设备或管道',
  'a read error': '读取错误',
  'a file of at most 2 GB': '不超过 2 GB 的文件',
  'no such file': '文件不存在',
  'the end of the text': '文本结尾',
  'an empty text': '空文本',
  'its text': '它的文本',
  'its JSON': '它的 JSON',
  numbers: '数字',
  'a named kernel': '内置卷积核的名称',
  'a list of kernels': '多个卷积核',
  'a list of turned kernels': '一组旋转的卷积核',
  'one kernel': '一个卷积核',
  'one kernel, not two': '一个而不是两个卷积核',
  'a geometry such as 3x3:': '尺寸,例如 3x3:',
  'a decimal point, or a blank after each comma': '小数点,或在每个逗号后加空格',
  'a divisor other than 0': '不为 0 的除数',
  'a number to divide by': '作为除数的数字',
  'a finite factor': '有限的系数',
  'a number or a bracket': '数字或括号',
  'a row in brackets': '括号中的一行',
  'one row in each bracket': '每个括号中一行',
  'one or two sizes': '一个或两个尺寸',
  'a whole number': '整数',
  'fewer cells': '较少的单元格',
  'astype or reshape': 'astype 或 reshape',
  '“*/” at the end of the comment': '注释结尾的“*/”',
};

const patterns: readonly (readonly [RegExp, string])[] = [
  [/^line (\d+), column (\d+)$/, '第 $1 行第 $2 列'],
  [/^row (\d+)$/, '第 $1 行'],
  [/^(\d+) numbers$/, '$1 个数'],
  [/^(\d+) characters$/, '$1 个字符'],
  [/^at most (\d+) characters$/, '最多 $1 个字符'],
  [/^at most (\d+) brackets inside one another$/, '括号最多嵌套 $1 层'],
  [/^one of (.+)$/, '以下之一:$1'],
  [/^height × width = (\d+)$/, '高 × 宽 = $1'],
  [/^width × height = (\d+)$/, '宽 × 高 = $1'],
  [/^rank (\d+)$/, '秩为 $1'],
  [/^(.+) \(row (\d+), column (\d+)\)$/, '$1(第 $2 行第 $3 列)'],
  [/^at most (.+) megapixels$/, '最多 $1 百万像素'],
  [/^at most (.+) of memory$/, '最多 $1 内存'],
  [/^at most (.+) seconds$/, '最多 $1 秒'],
  [/^at most (.+) pixels wide and high for (.+)$/, '$2 的宽高最多 $1 像素'],
  [/^at most (\d+)$/, '最多 $1'],
  [/^(.+) pixels, which need (.+) of memory$/, '$1 像素,需要 $2 内存'],
  [/^(.+) pixels$/, '$1 像素'],
];

/** The Chinese of a known phrase, or the text itself. */
export function chinesePhrases(text: string): string {
  const known = whole[text];
  if (known !== undefined) return known;
  for (const [pattern, replacement] of patterns) if (pattern.test(text)) return text.replace(pattern, replacement);
  return text;
}
