import type { Config } from '../../config.js';
import { html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Failure } from '../../http/response.js';
import type { Result, Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { layout } from './layout.js';
import { textOf } from './refusal.js';
import { startPage } from './start-page.js';
import { languageOf, t } from './texts.js';

/** True if APP_URL names these pages, not a front end of your own. */
export function isFrontEnd({ APP_URL, BASE_URL, AUTH_PREFIX }: Config): boolean {
  return APP_URL === `${BASE_URL}${AUTH_PREFIX}/ui`;
}

/** Shows a failure as a page: on pages, below their prefix, and when a browser navigates to a route that redirects. */
export function errorPage(
  services: Services,
  request: ServiceRequest,
  { code, message, headers }: Failure,
  route: Route | undefined,
): Result | undefined {
  const { method, path, search } = request;
  if (path === '/') return code === 'NOT_FOUND' ? startPage(services, request) : undefined;
  const { config, features } = services;
  const prefixes = features.flatMap(({ pagePrefix }) => pagePrefix?.(config) ?? []);
  const prefix = prefixes.find((each) => `${path}/`.startsWith(`${each}/`));
  // An API below the prefix of its panel answers in JSON, whatever the Accept header says.
  const isUnknown = prefix && !route && !path.includes('/api/');
  // People type a slash at the end. The redirect stays on this site: the path begins with the prefix.
  if (isUnknown && code === 'NOT_FOUND' && method === 'GET' && path.endsWith('/')) {
    return { status: 303, headers: { location: path.slice(0, -1) } };
  }
  const isRedirect = isFrontEnd(config) && route?.failurePage !== undefined && request.prefersHtml;
  if (!(route?.isPage || isRedirect || isUnknown)) return undefined;
  const visit = { services, language: languageOf(request) };
  // Links to the start of the same prefix, which leads to the sign-in or the account; for a stale form, to a new one.
  const home = `${config.AUTH_PREFIX}/ui`;
  const start = prefix && prefix !== home && prefix !== path ? prefix : `${home}/`;
  const isStale = route?.isPage && code === 'CSRF_INVALID';
  const onward = isStale ? `${path}?${search}` : start;
  const [title, sentence] =
    code === 'NOT_FOUND'
      ? [t('There is nothing here'), t('The address may be mistyped, or the page has moved.')]
      : [t('This did not work'), textOf(visit, { code, extra: { message, headers } })];
  const main = html`<p>${sentence}</p>
${code === 'ORIGIN_NOT_ALLOWED' && html`<p>${t('Open this page at')} <a href="${config.BASE_URL}">${config.BASE_URL}</a></p>`}
<p><a class="button primary" href="${onward}">${t('Continue')}</a></p>`;
  return layout(visit, { title, main });
}
