// The only file that turns a Failure into a sentence for people, in English and 简体中文: what happened, to which file or
// field, and what to do about it.

import { chinesePhrases } from './errorPhrases';
import type { ErrorCode, Failure } from './errors';
import type { Language } from './language';

/** A failure's words, ready to be put in a sentence; '' where it has none. */
interface Words {
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
}
type Sentence = (words: Words) => string;
type Sentences = Readonly<Record<ErrorCode, Sentence>>;

const kernelFields = ['width', 'height', 'anchor', 'weights', 'divisor', 'bias'];

/** A word of `--plan` (core/paths.ts). */
const isPath = (subject: string) => /^(dense|box|sparse|fft|rank:\d+)$/.test(subject);

const isSize = (words: string) => /^\d+ × \d+$/.test(words);

/** ` (what it is; it must be …)`, as far as the failure says. */
function englishDetail({ expected, actual }: Words): string {
  if (expected && actual) return ` (it is ${actual}; it must be ${expected})`;
  if (actual) return ` (${actual})`;
  return expected ? ` (it must be ${expected})` : '';
}

function englishKernel(words: Words): string {
  const { subject, expected, actual } = words;
  if (subject === 'weights' && expected.includes('='))
    return `The kernel needs ${expected} weights, but has ${actual}.`;
  if (subject === 'weights') return `A weight of the kernel is ${actual}. Type ${expected}.`;
  if (kernelFields.includes(subject)) return `The kernel's ${subject} is ${actual}. It must be ${expected}.`;
  if (/^line /.test(subject))
    return `The kernel cannot be read at ${subject}: ${actual}${expected ? `, where ${expected} was expected` : ''}. Correct it there.`;
  return `The kernel cannot be used: ${subject || 'its text'}${englishDetail(words)}.`;
}

const english: Sentences = {
  cancelled: () => 'Cancelled. Nothing was changed.',
  invalidArgument: (words) => `This is not possible: ${words.subject || 'an argument'}${englishDetail(words)}.`,
  invalidKernel: englishKernel,
  invalidPlan: (words) =>
    isSize(words.expected) && isSize(words.actual)
      ? `The kernel of ${words.subject} is ${words.expected} but the picture is only ${words.actual}, so with size “valid” nothing is left. Use a smaller kernel or the size “same”.`
      : `The filters cannot run: ${words.subject || 'the plan'}${englishDetail(words)}.`,
  imageTooLarge: (words) =>
    `${words.subject || 'The picture'} is too large${englishDetail(words)}. Use a smaller picture.`,
  outOfMemory: ({ subject }) =>
    `There is not enough memory${subject ? ` for ${subject}` : ''}. Close other pictures or programs, or use a smaller picture.`,
  unsupported: ({ subject, expected, actual }) => {
    if (subject === 'separable')
      return `This kernel cannot run as “separable”: it has ${actual}, and that path needs ${expected}. Use auto, dense or rank:N.`;
    if (isPath(subject))
      return `This filter cannot run as “${subject}”: it has ${actual}, and that path needs ${expected}. Use auto.`;
    return `${subject || 'This'} is not supported${englishDetail({ subject, expected, actual })}.`;
  },
  backendUnavailable: (words) => `The engine ${words.subject} is not available${englishDetail(words)}. Use “auto”.`,
  deviceFailed: ({ subject, actual }) =>
    `The graphics device failed${subject ? ` at ${subject}` : ''}${actual ? ` (${actual})` : ''}. The CPU can do the same work.`,
  internal: (words) =>
    `Something in Convolve went wrong${words.subject ? ` in ${words.subject}` : ''}${englishDetail(words)}. Please report it; your work is kept.`,
  fileNotFound: ({ subject }) => `${subject} was not found. Check its name and folder.`,
  fileUnreadable: (words) => `${words.subject} cannot be read${englishDetail(words)}. Check that you may open it.`,
  fileIsFolder: ({ subject }) => `${subject} is a folder. Choose a picture in it.`,
  fileEmpty: ({ subject }) => `${subject} is empty (0 bytes). Choose another file.`,
  fileNotAnImage: ({ subject }) =>
    `${subject} is not a picture that Convolve can open. Choose a JPEG, PNG, WebP, TIFF, GIF, AVIF, PBM, PGM, PPM or PFM file.`,
  fileDamaged: ({ subject, actual }) =>
    `${subject} is damaged and cannot be read${actual ? ` (${actual})` : ''}. Use another copy of it.`,
  formatUnsupported: ({ subject, expected, actual }) =>
    `${subject} holds ${actual || 'a kind of data'} that Convolve cannot open. Convert it to ${expected || 'PNG or TIFF'}.`,
  decodeTimeout: (words) => `${words.subject} took too long to open and was stopped${englishDetail(words)}.`,
  targetFolderMissing: ({ subject }) => `The folder ${subject} does not exist. Create it or choose another.`,
  targetUnwritable: ({ subject, actual }) =>
    `${subject} cannot be written${actual ? `: ${actual}` : ''}. Choose another name or folder.`,
  targetFull: ({ subject }) =>
    `There is no room on the disk for ${subject}. Free some space or choose another folder; nothing was changed.`,
  folderInUse: ({ subject, expected, actual }) =>
    `Another batch${actual ? ` on the computer ${actual}` : ''} is writing to ${subject}. Wait until it ends, or choose another folder.${expected ? ` If no batch is at work there, delete ${expected} in it.` : ''}`,
  imageUnknown: () => 'This picture is no longer open. Open it again.',
  projectDamaged: ({ subject, actual }) =>
    `${subject} is damaged and cannot be opened${actual ? ` (${actual})` : ''}. Use another copy of it.`,
  fileTooNew: ({ subject, expected, actual }) =>
    `${subject} was written by a newer Convolve${actual && expected ? ` (version ${actual} of its form; this one reads up to ${expected})` : ''}. Update Convolve to open it.`,
  pictureChanged: ({ subject, actual }) =>
    `${actual || 'The picture'} is no longer the file that was opened, so ${subject} cannot hold it. Put that file back, or save the project without its picture.`,
  maskSize: (words) =>
    `The mask of ${words.subject} was made on a picture of another size${englishDetail(words)}. Use a picture of that size, or remove the mask.`,
  libraryUnwritable: ({ subject, actual }) =>
    `The folder of my kernels, ${subject}, cannot be changed${actual ? `: ${actual}` : ''}. Allow writing there, or save the kernel as a file from the Code tab; nothing was changed.`,
  clipboardEmpty: () => 'The clipboard holds no picture. Copy one and paste again.',
  invalidFormula: (words) => `The formula cannot be read: ${words.subject}${englishDetail(words)}.`,
  usage: ({ subject, expected, actual }) =>
    `${subject || 'The command'}${actual ? `: ${actual}` : ''}${expected ? `; expected ${expected}` : ''}.`,
};

function chineseDetail({ expected, actual }: Words): string {
  if (expected && actual) return `（现为 ${actual}，应为 ${expected}）`;
  if (actual) return `（${actual}）`;
  return expected ? `（应为 ${expected}）` : '';
}

function chineseKernel(words: Words, field: string): string {
  const { subject, expected, actual } = words;
  if (field === 'weights' && expected.includes('=')) return `卷积核需要 ${expected} 个权重，实际有 ${actual} 个。`;
  if (field === 'weights') return `卷积核有一个权重是 ${actual}。请输入${expected}。`;
  if (kernelFields.includes(field)) return `卷积核的${subject}是 ${actual}，应为 ${expected}。`;
  if (/^line /.test(field))
    return `无法读取卷积核：${subject}处是 ${actual}${expected ? `，此处应为${expected}` : ''}。请在该处改正。`;
  return `无法使用该卷积核：${subject || '文本'}${chineseDetail(words)}。`;
}

/** As english; `field` is the subject before translation. */
const chinese: Readonly<Record<ErrorCode, (words: Words, field: string) => string>> = {
  cancelled: () => '已取消，没有任何更改。',
  invalidArgument: (words) => `无法执行：${words.subject || '参数'}${chineseDetail(words)}。`,
  invalidKernel: chineseKernel,
  invalidPlan: (words) =>
    isSize(words.expected) && isSize(words.actual)
      ? `${words.subject} 的卷积核是 ${words.expected}，而图片只有 ${words.actual}，用“仅有效区域”时什么都不剩。请用较小的卷积核，或改为“原尺寸”。`
      : `无法运行滤镜：${words.subject || '计划'}${chineseDetail(words)}。`,
  imageTooLarge: (words) => `${words.subject || '图片'}太大${chineseDetail(words)}。请使用较小的图片。`,
  outOfMemory: ({ subject }) => `内存不足${subject ? `（${subject}）` : ''}。请关闭其他图片或程序，或使用较小的图片。`,
  unsupported: ({ subject, expected, actual }, field) => {
    if (field === 'separable')
      return `该卷积核不能用“separable”运行：它的${actual}，而该路径需要${expected}。请使用 auto、dense 或 rank:N。`;
    if (isPath(field)) return `该滤镜不能用“${field}”运行：它有${actual}，而该路径需要${expected}。请使用 auto。`;
    return `不支持${subject}${chineseDetail({ subject, expected, actual })}。`;
  },
  backendUnavailable: (words) => `引擎 ${words.subject} 不可用${chineseDetail(words)}。请使用“自动”。`,
  deviceFailed: ({ subject, actual }) =>
    `图形设备出错${subject ? `：${subject}` : ''}${actual ? `（${actual}）` : ''}。可以改用 CPU 完成同样的工作。`,
  internal: (words) =>
    `Convolve 内部出错${words.subject ? `：${words.subject}` : ''}${chineseDetail(words)}。请报告此问题；您的工作已保留。`,
  fileNotFound: ({ subject }) => `找不到 ${subject}。请检查文件名和文件夹。`,
  fileUnreadable: (words) => `无法读取 ${words.subject}${chineseDetail(words)}。请检查是否有权打开它。`,
  fileIsFolder: ({ subject }) => `${subject} 是文件夹。请选择其中的图片。`,
  fileEmpty: ({ subject }) => `${subject} 是空文件（0 字节）。请选择其他文件。`,
  fileNotAnImage: ({ subject }) =>
    `${subject} 不是 Convolve 能打开的图片。请选择 JPEG、PNG、WebP、TIFF、GIF、AVIF、PBM、PGM、PPM 或 PFM 文件。`,
  fileDamaged: ({ subject, actual }) =>
    `${subject} 已损坏，无法读取${actual ? `（${actual}）` : ''}。请使用它的另一份副本。`,
  formatUnsupported: ({ subject, expected, actual }) =>
    `${subject} 含有 Convolve 无法打开的${actual || '数据'}。请转换为 ${expected || 'PNG 或 TIFF'}。`,
  decodeTimeout: (words) => `打开 ${words.subject} 用时过长，已停止${chineseDetail(words)}。`,
  targetFolderMissing: ({ subject }) => `文件夹 ${subject} 不存在。请新建它，或选择其他文件夹。`,
  targetUnwritable: ({ subject, actual }) =>
    `无法写入 ${subject}${actual ? `：${actual}` : ''}。请选择其他名称或文件夹。`,
  targetFull: ({ subject }) => `磁盘空间不足，无法写入 ${subject}。请释放空间或选择其他文件夹；没有任何更改。`,
  folderInUse: ({ subject, expected, actual }) =>
    `${actual ? `计算机 ${actual} 上的` : ''}另一个批处理正在写入 ${subject}。请等它结束，或选择其他文件夹。${expected ? `若那里没有批处理在运行，请删除其中的 ${expected}。` : ''}`,
  imageUnknown: () => '该图片已不再打开。请重新打开。',
  projectDamaged: ({ subject, actual }) =>
    `${subject} 已损坏，无法打开${actual ? `（${actual}）` : ''}。请使用它的另一份副本。`,
  fileTooNew: ({ subject, expected, actual }) =>
    `${subject} 由更新版本的 Convolve 写入${actual && expected ? `（格式版本 ${actual}，此版本最高支持 ${expected}）` : ''}。请更新 Convolve 后再打开。`,
  pictureChanged: ({ subject, actual }) =>
    `${actual || '图片'} 已不再是打开时的文件，因此 ${subject} 无法包含它。请放回该文件，或保存不含图片的项目。`,
  maskSize: (words) =>
    `${words.subject} 的蒙版是在其他尺寸的图片上制作的${chineseDetail(words)}。请使用该尺寸的图片，或移除蒙版。`,
  libraryUnwritable: ({ subject, actual }) =>
    `“我的核”文件夹 ${subject} 无法更改${actual ? `：${actual}` : ''}。请允许写入该文件夹，或在“代码”页将卷积核存为文件；没有任何更改。`,
  clipboardEmpty: () => '剪贴板中没有图片。请先复制图片再粘贴。',
  invalidFormula: (words) => `无法读取公式：${words.subject}${chineseDetail(words)}。`,
  usage: ({ subject, expected, actual }) =>
    `${subject || '命令'}${actual ? `：${actual}` : ''}${expected ? `；应为 ${expected}` : ''}。`,
};

/** Control characters and line breaks would break the one line that a message is; very long words would hide the rest. */
/** Also for names in other lines that scripts read. */
export function oneLine(text: string | undefined): string {
  const clean = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return clean.length > 300 ? `${clean.slice(0, 297)}…` : clean;
}

const file = { en: 'The file', 'zh-CN': '文件' };
/** What stands for a subject that a failure does not name, where its sentence needs one. */
const unnamed: Partial<Record<ErrorCode, Readonly<Record<Language, string>>>> = {
  invalidPlan: { en: 'the plan', 'zh-CN': '计划' },
  backendUnavailable: { en: 'that was asked for', 'zh-CN': '' },
  fileNotFound: file,
  fileUnreadable: file,
  fileIsFolder: file,
  fileEmpty: file,
  fileNotAnImage: file,
  fileDamaged: file,
  formatUnsupported: file,
  projectDamaged: { en: 'The project', 'zh-CN': '项目' },
  fileTooNew: file,
  pictureChanged: { en: 'the project', 'zh-CN': '项目' },
  libraryUnwritable: { en: 'on this computer', 'zh-CN': '' },
  maskSize: { en: 'the filter', 'zh-CN': '滤镜' },
  decodeTimeout: { en: 'The picture', 'zh-CN': '图片' },
  targetFolderMissing: { en: 'of that name', 'zh-CN': '' },
  targetUnwritable: file,
  targetFull: { en: 'the file', 'zh-CN': '文件' },
  folderInUse: { en: 'the folder', 'zh-CN': '该文件夹' },
  invalidFormula: { en: 'it has no value', 'zh-CN': '没有值' },
};

/** One sentence or two about a failure, on one line. */
export function errorText(failure: Failure, language: Language = 'en'): string {
  const subject = oneLine(failure.subject) || (unnamed[failure.code]?.[language] ?? '');
  const words: Words = { subject, expected: oneLine(failure.expected), actual: oneLine(failure.actual) };
  if (language === 'en') return english[failure.code](words);
  const translated: Words = {
    subject: chinesePhrases(words.subject),
    expected: chinesePhrases(words.expected),
    actual: chinesePhrases(words.actual),
  };
  return chinese[failure.code](translated, subject);
}
