import type { Config } from '../../config.js';
import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Result } from '../../http/route.js';
import { type Asset, assetPath, passwordScript, styleSheet } from './assets.js';
import { button, guardField } from './form.js';
import type { Page } from './page.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

/** What a page shows: its title is its `h1` too. */
interface Content extends Pick<Page, 'isWide' | 'assets'> {
  title: HtmlValue;
  main: Html;
  /** Beside it, on a wide page. */
  navigation?: Html | undefined;
}

/**
 * Nothing of another host, no inline script or style, in no frame. `same-origin`: with `no-referrer` Chromium would send
 * `Origin: null` with each form, which is refused.
 */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

type Frame = Pick<Visit, 'services' | 'language'> & Partial<Pick<Visit, 'caller' | 'guard'>>;

/** The whole document of a page, as an answer: the frame of all pages is decided here. */
export function layout(
  visit: Frame,
  { title, main, isWide, assets = [], navigation }: Content,
): Result {
  const { services, language } = visit;
  const { config } = services;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${config.SERVICE_NAME}</title>
<link rel="icon" href="data:,">
${[styleSheet, passwordScript, ...assets].map((asset) => linkTo(config, asset))}
</head>
<body${navigation && html` class="panel"`}>
<header>
<a class="brand" href="${config.AUTH_PREFIX}/ui/">${config.SERVICE_NAME}</a>
${visit.caller && visit.guard && signOut(config.AUTH_PREFIX, visit as Visit)}
</header>
${navigation}
<main${isWide && html` class="wide"`}>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  // A page with a script of its own sends forms in place.
  const hasScript = assets.some(({ type }) => type.startsWith('text/javascript'));
  const policy = hasScript ? [...POLICY, "connect-src 'self'"] : POLICY;
  return {
    text: page.text(language),
    headers: { ...HEADERS, 'content-security-policy': policy.join('; ') },
  };
}

function linkTo(config: Config, asset: Asset): Html {
  const path = assetPath(config, asset);
  return asset.type.startsWith('text/css')
    ? html`<link rel="stylesheet" href="${path}">`
    : html`<script type="module" src="${path}"></script>`;
}

function signOut(prefix: string, visit: Visit): Html {
  return html`<form method="post" action="${prefix}/ui/sign-out">
${guardField(visit)}${button('sign-out', pagesTexts.signOut, 'plain')}
</form>`;
}
