import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';
import { get, type Route } from '../../http/route.js';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export interface Asset {
  /** Contains a hash of the content, so that browsers can cache the file for good. */
  name: string;
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

/** The files read at startup, by name: a request chooses among these and reaches no other file. */
const served = new Map<string, Asset>();

/** Serves a file beside the caller, whose `import.meta.url` is `base`. In `dist/` all lie beside the bundle. */
export function readAsset(file: string, base: string): Asset {
  const bytes = readFileSync(new URL(`./${file}`, base));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const extension = file.endsWith('.css') ? 'css' : 'js';
  const [stem] = file.split('.');
  const name = `${stem}-${hash}.${extension}`;
  const asset = { name, type: TYPES[extension], bytes, gzipped: gzipSync(bytes) };
  served.set(name, asset);
  return asset;
}

export const styleSheet = readAsset('style.css', import.meta.url);
export const script = readAsset('page.browser.js', import.meta.url);

/** The path of a style sheet or script. */
export function assetPath({ AUTH_PREFIX }: Config, { name }: Asset): string {
  return `${AUTH_PREFIX}/ui/assets/${name}`;
}

/** Serves style sheet and scripts from memory. They contain no secret, so compressing them is safe (BREACH). */
export const assetRoute: Route = get(
  '/ui/assets/{name}',
  { summary: 'Style sheet and scripts of the pages', isPage: true, isProbe: true },
  async ({ params, request }) => {
    const asset = served.get(params.name ?? '');
    if (!asset) throw refuse('NOT_FOUND');
    const isZipped = /\bgzip\b/.test(request.header('accept-encoding') ?? '');
    return {
      text: isZipped ? asset.gzipped : asset.bytes,
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
      },
    };
  },
);
