// What an export leaves out of a picture because the format has no place for it, to be said before anything is lost, and the
// sentences in English and 简体中文. Pure.

import type { Carried, ExifFit, ImageInfo } from './document';
import { assertNever } from './errors';
import { depthOrder, type ExportFormat, type ExportOptions, exportDepth } from './exportOptions';
import type { Language } from './language';
import type { SampleType } from './pass';

export type ExportLoss =
  /** What is transparent becomes white. */
  | { readonly kind: 'alpha' }
  | { readonly kind: 'depth'; readonly from: SampleType; readonly to: SampleType }
  /** Floats below black and above white are cut. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'profile' }
  | { readonly kind: 'metadata'; readonly what: readonly MetadataKind[] }
  /** Of EXIF, what a segment of a JPEG file has no room for. */
  | { readonly kind: 'exifPart'; readonly part: Extract<ExifFit, 'withoutMakerNote' | 'withoutLongest'> }
  | { readonly kind: 'pages'; readonly page: number; readonly pages: number };

const metadataKinds = ['exif', 'xmp', 'iptc', 'resolution'] as const;
type MetadataKind = (typeof metadataKinds)[number];

function holds(format: ExportFormat, kind: MetadataKind, { exifInJpeg }: Carried): boolean {
  switch (format) {
    case 'png':
    case 'tiff':
      return true;
    case 'jpeg':
      return kind !== 'exif' || exifInJpeg !== 'nothing';
    case 'webp':
    case 'avif':
      return kind !== 'iptc';
    case 'pfm':
      return false;
  }
}

/** What of the picture's own the file will not have; what the options themselves leave out or convert is no loss. */
export function exportLosses(
  image: Pick<ImageInfo, 'channels' | 'alpha' | 'sampleType' | 'carries' | 'page' | 'pages'>,
  options: Pick<ExportOptions, 'format' | 'depth' | 'metadata'>,
): readonly ExportLoss[] {
  const { format } = options;
  const losses: ExportLoss[] = [];
  if (image.alpha && (format === 'jpeg' || format === 'pfm')) losses.push({ kind: 'alpha' });
  const float = image.sampleType === 'f32' || image.sampleType === 'f64';
  const wanted = options.depth === 'same' ? image.sampleType : options.depth;
  const depth = exportDepth(options, image.sampleType);
  if (depthOrder.indexOf(depth) < depthOrder.indexOf(wanted)) losses.push({ kind: 'depth', from: wanted, to: depth });
  if (float && depth !== 'f32') losses.push({ kind: 'beyond' });
  const { carries } = image;
  const grey = image.channels <= 2;
  if (carries.profile > 0 && (format === 'pfm' || (format === 'webp' && grey))) losses.push({ kind: 'profile' });
  const kept = options.metadata === 'keep' ? metadataKinds : (['resolution'] as const);
  const lost = kept.filter((kind) => carries[kind] && !holds(format, kind, carries));
  if (lost.length > 0) losses.push({ kind: 'metadata', what: lost });
  const part = carries.exifInJpeg;
  if (format === 'jpeg' && options.metadata === 'keep' && part !== 'whole' && part !== 'nothing')
    losses.push({ kind: 'exifPart', part });
  if (image.pages > 1) losses.push({ kind: 'pages', page: image.page, pages: image.pages });
  return losses;
}

/** As exportLosses, without the other pages, of which a warning tells already. */
export const lossesBesideWarnings: typeof exportLosses = (image, options) =>
  exportLosses({ ...image, page: 1, pages: 1 }, options);

/** What a picture could have at most. */
const everything: Parameters<typeof exportLosses>[0] = {
  channels: 4,
  alpha: true,
  sampleType: 'f32',
  page: 1,
  pages: 1,
  carries: { profile: 1, exif: 1, xmp: 1, iptc: 1, resolution: true, exifInJpeg: 'whole' },
};

/** What files of the format cannot hold of any picture: for many, of which nothing is known yet. */
export function possibleLosses(options: Parameters<typeof exportLosses>[1]): readonly ExportLoss[] {
  const [deep] = exportLosses({ ...everything, sampleType: 'u16' }, options).filter(({ kind }) => kind === 'depth');
  const losses = exportLosses(everything, options);
  return losses.flatMap((loss) => (loss.kind === 'depth' && deep ? [deep, loss] : [loss]));
}

const depthNames: Readonly<Record<SampleType, Readonly<Record<Language, string>>>> = {
  u8: { en: '8 bits', 'zh-CN': ' 8 位' },
  u16: { en: '16 bits', 'zh-CN': ' 16 位' },
  f32: { en: '32-bit floats', 'zh-CN': ' 32 位浮点' },
  f64: { en: '64-bit floats', 'zh-CN': ' 64 位浮点' },
};

const kindName = (kind: MetadataKind, language: Language): string => {
  if (kind !== 'resolution') return kind.toUpperCase();
  return language === 'en' ? 'the resolution' : '分辨率';
};

/** One or two sentences about a loss. */
export function lossText(loss: ExportLoss, language: Language = 'en'): string {
  const english = language === 'en';
  switch (loss.kind) {
    case 'alpha':
      return english ? 'No transparency: what is transparent becomes white.' : '不支持透明：透明部分变为白色。';
    case 'depth': {
      const [from, to] = [depthNames[loss.from][language], depthNames[loss.to][language]];
      return english ? `${from} become ${to}.` : `${from.trim()}将变为${to}。`;
    }
    case 'beyond':
      return english ? 'Values below black and above white are cut off.' : '低于黑色、高于白色的值会被截断。';
    case 'profile':
      return english
        ? 'The colour profile is left out: the format has no place for it.'
        : '不写入颜色配置文件：此格式无处存放。';
    case 'metadata': {
      const names = loss.what.map((kind) => kindName(kind, language));
      if (!english) return `不写入 ${names.join('、')}：此格式无处存放。`;
      const first = names.join(', ');
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}: left out, the format has no place for it.`;
    }
    case 'exifPart':
      if (loss.part === 'withoutMakerNote')
        return english
          ? 'EXIF is too long for a JPEG file: the camera’s maker note is left out.'
          : 'EXIF 超出 JPEG 文件的容量：不写入相机的制造商注释。';
      return english
        ? 'EXIF is too long for a JPEG file: its longest values are left out.'
        : 'EXIF 超出 JPEG 文件的容量：不写入其中最长的内容。';
    case 'pages':
      return english
        ? `Only page ${loss.page} of ${loss.pages} is written.`
        : `只写入第 ${loss.page} 页，共 ${loss.pages} 页。`;
    default:
      return assertNever(loss);
  }
}
