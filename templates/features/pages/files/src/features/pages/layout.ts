import type { Config } from '../../config.js';
import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type Asset, assetPath, script, styleSheet } from './assets.js';
import { form } from './form.js';
import type { Form, Page } from './page.js';
import { type Text, t } from './texts.js';
import type { Visit } from './visit.js';

/** What a page shows: its title is its `h1` too. */
interface Content extends Pick<Page, 'isWide' | 'assets'> {
  title: HtmlValue;
  main: Html;
  /** Shown beside the content of a wide page. */
  navigation?: Html | undefined;
}

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
  const main = instead ?? html`${outcome(page, visit)}\n${await page.content(visit)}`;
  const title = await page.title(visit);
  const navigation = await page.navigation?.(visit);
  return { ...layout(visit, { ...page, title, main, navigation }), cookies: visit.cookies };
}

/** The message after a form, which screen readers announce once the page has loaded; or that a mailed link is missing. */
function outcome(page: Page, { services, refusal, query, carried }: Visit): HtmlValue {
  if (refusal?.message) {
    return html`<p class="notice${refusal.isMistake && ' bad'}" role="alert">${refusal.message}</p>`;
  }
  const name = query.get('done');
  if (refusal) return undefined;
  if (name === null) {
    const isLinkMissing = page.takesToken && !carried;
    return isLinkMissing && html`<p>${t('Open the link of the mail in this browser.')}</p>`;
  }
  return success(findForm(page, services, name)?.done ?? page.done);
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

type Frame = Pick<Visit, 'services' | 'language'> & Partial<Pick<Visit, 'caller' | 'guard'>>;

/** The whole document of a page as a response: the one place for what all pages have in common. */
export function layout(
  { services, language, caller, guard }: Frame,
  { title, main, isWide, assets = [], navigation }: Content,
): Result {
  const { config } = services;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${config.SERVICE_NAME}</title>
<link rel="icon" href="data:,">
${[styleSheet, script, ...assets].map((asset) => linkTo(config, asset))}
</head>
<body${navigation && html` class="panel"`}>
<header>
<a href="${config.AUTH_PREFIX}/ui/">${config.SERVICE_NAME}</a>
${caller && guard && form({ guard, refusal: undefined }, { name: 'sign-out', action: `${config.AUTH_PREFIX}/ui/sign-out`, submit: t('Sign out'), look: 'plain' })}
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
  const hasScript = assets.some(({ type }) => type.startsWith('text/javascript'));
  const policy = hasScript ? `${POLICY}; connect-src 'self'` : POLICY;
  return {
    text: page.text(language),
    headers: { ...HEADERS, 'content-security-policy': policy },
  };
}

function linkTo(config: Config, asset: Asset): Html {
  const path = assetPath(config, asset);
  return asset.type.startsWith('text/css')
    ? html`<link rel="stylesheet" href="${path}">`
    : html`<script type="module" src="${path}"></script>`;
}
