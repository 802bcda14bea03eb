import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';
import { get, type Route } from '../../http/route.js';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export interface Asset {
  /** With a hash of its content, so that a browser never has to ask again. */
  name: string;
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

/** A file beside the caller: `import.meta.url` is its `base`. In `dist/` all of them lie beside the bundle. */
export function readAsset(file: string, base: string): Asset {
  const bytes = readFileSync(new URL(`./${file}`, base));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const extension = file.endsWith('.css') ? 'css' : 'js';
  const [stem] = file.split('.');
  const name = `${stem}-${hash}.${extension}`;
  return { name, type: TYPES[extension], bytes, gzipped: gzipSync(bytes) };
}

export const styleSheet = readAsset('style.css', import.meta.url);
export const passwordScript = readAsset('password.browser.js', import.meta.url);

/** The path of a style sheet or script. */
export function assetPath({ AUTH_PREFIX }: Config, { name }: Asset): string {
  return `${AUTH_PREFIX}/ui/assets/${name}`;
}

/** Style sheet and scripts, out of memory. They hold no secret, so compressing them gives nothing away (BREACH). */
export const assetRoute: Route = get(
  '/ui/assets/{name}',
  { summary: 'Style sheet and scripts of the pages', isPage: true, isProbe: true },
  async ({ params, request, services }) => {
    const all = services.features.flatMap(({ assets }) => assets ?? []);
    const asset = all.find(({ name }) => name === params.name);
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
