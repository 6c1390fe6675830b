// Where the page lives: our own scheme, so that it has an origin, a strict content policy and no way to the disk beyond the
// built page's folder.

import path from 'node:path';

export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://convolve`;
export const pageUrl = `${pageOrigin}/index.html`;

/**
 * Scripts, styles and fonts only from the page's own files, pictures also from memory; no connection to anywhere. The page
 * itself states the same in a meta element; what is refused here in addition is being framed.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
  '.map': 'application/json; charset=utf-8',
};

export const contentTypeOf = (file: string): string =>
  contentTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';

/** The file in `folder` that a URL of our scheme names, or null for any other place. */
export function pageFile(url: string, folder: string): string | null {
  let parsed: URL;
  let name: string;
  try {
    parsed = new URL(url);
    name = decodeURIComponent(parsed.pathname);
  } catch {
    return null;
  }
  if (parsed.protocol !== `${pageScheme}:` || parsed.host !== 'convolve' || name.includes('\0')) return null;
  const root = path.resolve(folder);
  const file = path.resolve(root, `.${name === '/' ? '/index.html' : name}`);
  return file.startsWith(root + path.sep) ? file : null;
}
