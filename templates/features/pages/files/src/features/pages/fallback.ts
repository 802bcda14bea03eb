import type { Config } from '../../config.js';
import { type HttpError, refuse } from '../../http/errors.js';
import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Result, Route } from '../../http/route.js';
import type { Mail } from '../../mail/mailer.js';
import { isLoopback } from '../../process/addresses.js';
import type { Services } from '../../services.js';
import { linkButton } from './form.js';
import { languageOf, t } from './language.js';
import { layout } from './layout.js';
import type { Page } from './page.js';
import { textOf } from './refusal.js';
import { pathWith } from './visit.js';

const READS = ['GET', 'HEAD'];

/** True if APP_URL names these pages, not a front end of your own. */
export function isFrontEnd({ APP_URL, BASE_URL, AUTH_PREFIX }: Config): boolean {
  return APP_URL === `${BASE_URL}${AUTH_PREFIX}/ui`;
}

/** Shows a refusal as a page: on pages, below their prefix, and when a browser navigates to a route that redirects. */
export function errorPage(
  services: Services,
  request: ServiceRequest,
  refusal: HttpError,
  route: Route | undefined,
): Result | undefined {
  const { code } = refusal;
  const { method, path, search } = request;
  if (path === '/') return code === 'NOT_FOUND' ? startPage(services, request) : undefined;
  const { config, features } = services;
  const prefixes = features.flatMap(({ pagePrefix }) => pagePrefix?.(config) ?? []);
  const prefix = prefixes.find((each) => `${path}/`.startsWith(`${each}/`));
  // An API below the prefix of its panel answers in JSON, whatever the Accept header says.
  const isUnknown = prefix && !route && !path.startsWith(`${prefix}/api/`);
  // People type a slash at the end. The redirect stays on this site: the path begins with the prefix.
  if (isUnknown && code === 'NOT_FOUND' && READS.includes(method) && path.endsWith('/')) {
    return { status: 303, headers: { location: pathWith(`${path.slice(0, -1)}?${search}`, {}) } };
  }
  const leadsOn = [route?.redirects, route?.failurePage].some(Boolean);
  const isRedirect = isFrontEnd(config) && leadsOn && request.prefersHtml;
  if (!(route?.isPage || isRedirect || isUnknown)) return undefined;
  const visit = { services, language: languageOf(request) };
  // Links to the start of the same prefix, which leads to the sign-in or the account; to try again, to the same page.
  const home = `${config.AUTH_PREFIX}/ui`;
  const start = prefix && prefix !== home && prefix !== path ? prefix : `${home}/`;
  const isRepeated = route?.isPage && ['CSRF_INVALID', 'UNAVAILABLE'].includes(code);
  const onward = isRepeated ? pathWith(`${path}?${search}`, {}) : start;
  const [title, sentence] =
    code === 'NOT_FOUND'
      ? [t('There is nothing here'), t('The address may be mistyped, or the page has moved.')]
      : [t('This did not work'), textOf(visit, refusal)];
  const main = html`<p>${sentence}</p>
${code === 'ORIGIN_NOT_ALLOWED' && html`<p>${t('Open this page at')} <a href="${config.BASE_URL}">${config.BASE_URL}</a></p>`}
${linkButton(onward, t('Continue'))}`;
  return layout(visit, { title, main });
}

export type StartLink = readonly [path: string, label: HtmlValue];

/**
 * What `/` shows unless you have a route there: in development a page with links to everything, else a redirect to the
 * sign-in. Clients that ask for JSON get a 404.
 */
function startPage(services: Services, request: ServiceRequest): Result | undefined {
  const { config, features } = services;
  const isOpen = request.prefersHtml || request.header('accept') === '*/*';
  if (!READS.includes(request.method) || !isOpen) return undefined;
  const login = `${config.AUTH_PREFIX}/ui/login`;
  if (config.NODE_ENV !== 'development') return { status: 303, headers: { location: login } };
  const link = ([path, label]: StartLink) =>
    html`<li><a href="${path}">${label}<code class="aside">${path}</code></a></li>`;
  const documents = services.resources.filter(({ path }) => path.endsWith('/openapi.json'));
  const links = [
    link([login, t('Sign in')]),
    ...features.flatMap(({ startLinks }) => startLinks?.(config) ?? []).map(link),
    link([`${config.AUTH_PREFIX}/ui/account`, t('Your account')]),
    isOutboxShown(config, request) &&
      link([`${config.AUTH_PREFIX}/ui/outbox`, t('Outgoing emails')]),
    ...documents.map(({ path }) =>
      link([path, html`${t('OpenAPI document of')} ${path.replace(/\/openapi.json$/, '')}`]),
    ),
  ];
  const main = html`<ul class="rows">${links}</ul>
<section><h2>${t('Become an administrator')}</h2>
<p><code>npm run admin -- create you@example.com</code></p>
<p>${t('For an existing account:')} <code>npm run admin -- promote you@example.com</code></p>
<p class="aside">${t('In production this address redirects to the sign-in page. A route of your own at / replaces it.')}</p></section>`;
  const visit = { services, language: languageOf(request) };
  const content = { title: t('Your service is running'), main, isWide: true };
  return { status: 200, ...layout(visit, content) };
}

/**
 * The links in its mails open accounts: only in development, and only to a browser on this machine, not over a network or
 * a tunnel, nor to a site whose name leads here (DNS rebinding).
 */
function isOutboxShown({ NODE_ENV, BASE_URL, SMTP_URL }: Config, request: ServiceRequest): boolean {
  const host = request.header('host')?.replace(/:\d+$/, '') ?? '';
  const hosts = [new URL(BASE_URL).hostname, request.ip, host];
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some((name) => request.header(name));
  const isNear = hosts.every((each) => isLoopback(each)) && !isForwarded;
  return NODE_ENV === 'development' && isNear && !SMTP_URL;
}

/** The mails that would have been sent, to read without a mail program. */
export const outboxPage: Page = {
  isWide: true,
  title: () => t('Outgoing emails'),
  content: ({ services, request }) => {
    if (!isOutboxShown(services.config, request)) throw refuse('NOT_FOUND');
    return html`<p>${t('Without SMTP_URL, emails are not sent but kept in data/outbox. These are the ones since the last start.')}</p>
${services.mailer.sent?.map(article)}`;
  },
};

function article({ to, subject, text }: Mail): Html {
  return html`<article><h2>${subject}</h2>
<p class="aside">${to}</p>
<pre>${text.split(/(https?:\/\/\S+)/).map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}</pre></article>`;
}
