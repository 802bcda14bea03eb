import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { refuse } from '../../http/errors.js';
import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import { get, type Result, type Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { form, linkButton } from './form.js';
import { t } from './language.js';
import type { Form, Page } from './page.js';
import { destinationOf, pathTo, type Visit } from './visit.js';

/** A style sheet or a script. Its name contains a hash of the content, so that browsers can cache it for good. */
export interface Asset {
  name: string;
  isStyle: boolean;
  bytes: Buffer;
  gzipped: Buffer;
}

/** The files read at startup, by name: a request chooses among these and reaches no other file. */
const served = new Map<string, Asset>();

/** Serves a file beside the caller, whose `import.meta.url` is `base`. In `dist/` all lie beside the bundle. */
export function readAsset(file: string, base: string): Asset {
  const bytes = readFileSync(new URL(`./${file}`, base));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const name = file.replace('.', `-${hash}.`);
  const asset = { name, isStyle: file.endsWith('.css'), bytes, gzipped: gzipSync(bytes) };
  served.set(name, asset);
  return asset;
}

const ofEveryPage = ['style.css', 'page.browser.js'].map((file) =>
  readAsset(file, import.meta.url),
);

/** Serves style sheets and scripts from memory. They contain no secret, so compressing them is safe (BREACH). */
export const assetRoute: Route = get('/ui/assets/{name}', {
  summary: 'Style sheet and scripts of the pages',
  isPage: true,
  handle: async ({ params, request }) => {
    const asset = served.get(params.name ?? '');
    if (!asset) throw refuse('NOT_FOUND');
    const isZipped = /\bgzip\b/.test(request.header('accept-encoding') ?? '');
    return {
      text: isZipped ? asset.gzipped : asset.bytes,
      headers: {
        'content-type': `text/${asset.isStyle ? 'css' : 'javascript'}; charset=utf-8`,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Origin, Accept-Encoding',
        ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
      },
    };
  },
});

/**
 * Nothing from other hosts, no inline script or style, no framing. The referrer policy is `same-origin`: with
 * `no-referrer` Chromium would send `Origin: null` with each form, which is refused.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Renders a page, with the outcome of the form that was just submitted; `instead` replaces both. */
export async function render(page: Page, visit: Visit, instead?: Html): Promise<Result> {
  const main = instead ?? html`${outcome(page, visit)}\n${await contentOf(page, visit)}`;
  const title = await page.title(visit);
  const navigation = await page.navigation?.(visit);
  return { ...layout(visit, { ...page, title, main, navigation }), cookies: visit.cookies };
}

/** The content of the page or, if it needs a mailed link and has none, a way to continue or to get another link. */
function contentOf(page: Page, visit: Visit): Html | Promise<Html> {
  if (!page.takesTokenFrom || visit.carried) return page.content(visit);
  if (visit.query.has('done')) return linkButton(destinationOf(visit), t('Continue'));
  // The sign-in page takes signed-in visitors to their destination.
  const isSignIn = page.takesTokenFrom === '/ui/login';
  const advice = html`<p>${t('Open the link from the email in this browser.')}</p>`;
  return html`${!visit.refusal && advice}
${linkButton(pathTo(visit, page.takesTokenFrom), t(isSignIn && visit.caller ? 'Continue' : 'Get another link'))}`;
}

/** The message after a form, which screen readers announce once the page has loaded. */
function outcome(page: Page, { services, refusal, done }: Visit): HtmlValue {
  if (refusal) {
    const { message, isMistake } = refusal;
    return message && html`<p class="notice${isMistake && ' bad'}" role="alert">${message}</p>`;
  }
  return done !== undefined && success(findForm(page, services, done)?.done ?? page.done);
}

/** The message of a form that has worked. */
export function success(text: Text | undefined): HtmlValue {
  return text && html`<p class="notice good" role="status">${text}</p>`;
}

/** Finds a form of a page. The name comes from the request, which may send `constructor`. */
export function findForm({ forms = {} }: Page, services: Services, name: string): Form | undefined {
  const all = typeof forms === 'function' ? forms(services) : forms;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

type Reader = Pick<Visit, 'services' | 'language'> & Partial<Pick<Visit, 'caller' | 'guard'>>;
type Shown = Pick<Page, 'isWide' | 'assets'> & { title: HtmlValue; main: Html; navigation?: Html };

/** The whole document of a page as a response: the one place for what all pages have in common. */
export function layout(
  { services, language, caller, guard }: Reader,
  { title, main, isWide, assets = [], navigation }: Shown,
): Result {
  const { AUTH_PREFIX, SERVICE_NAME } = services.config;
  const links = [...ofEveryPage, ...assets].map(({ name, isStyle }) =>
    isStyle
      ? html`<link rel="stylesheet" href="${AUTH_PREFIX}/ui/assets/${name}">`
      : html`<script type="module" src="${AUTH_PREFIX}/ui/assets/${name}"></script>`,
  );
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SERVICE_NAME}</title>
<link rel="icon" href="data:,">
${links}
</head>
<body${navigation && html` class="panel"`}>
<header>
<a href="${AUTH_PREFIX}/ui/">${SERVICE_NAME}</a>
${caller && guard && form({ guard, refusal: undefined }, { name: 'sign-out', action: `${AUTH_PREFIX}/ui/sign-out`, submit: t('Sign out'), look: 'plain' })}
</header>
${navigation}
<main${isWide && html` class="wide"`}${navigation && html` id="main"`}>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  // A page with its own script submits forms in place.
  const policy = assets.every(({ isStyle }) => isStyle) ? POLICY : `${POLICY}; connect-src 'self'`;
  return { text: page.text(language), headers: { ...HEADERS, 'content-security-policy': policy } };
}
