import type { Config } from '../../config.js';
import { type Html, html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import type { Mail } from '../../mail/mailer.js';
import { isLoopback } from '../../process/addresses.js';
import type { Services } from '../../services.js';
import { languageOf, type Text } from './language.js';
import { layout } from './layout.js';
import type { Page } from './page.js';
import { pagesTexts } from './texts.js';

export type StartLink = readonly [path: string, label: Text];

/**
 * What `/` shows unless you have a route there: in development a page with links to everything, else a redirect to the
 * sign-in. Only for browsers that navigate; other clients get a 404.
 */
export function startPage(services: Services, request: ServiceRequest): Result | undefined {
  const { config, features } = services;
  if (request.path !== '/' || request.method !== 'GET' || !request.prefersHtml) return undefined;
  const login = `${config.AUTH_PREFIX}/ui/login`;
  if (config.NODE_ENV !== 'development') return { status: 303, headers: { location: login } };
  const link = ([path, label]: StartLink) =>
    html`<li><a href="${path}">${label}<code class="aside">${path}</code></a></li>`;
  const links = [
    link([login, pagesTexts.signIn]),
    ...features.flatMap(({ startLinks }) => startLinks?.(config) ?? []).map(link),
    link([`${config.AUTH_PREFIX}/ui/account`, pagesTexts.yourAccount]),
    isOutboxShown(config) && link([`${config.AUTH_PREFIX}/ui/outbox`, pagesTexts.outbox]),
    config.OPENAPI && link(['/docs', pagesTexts.apiDocuments]),
  ];
  const main = html`<p>${pagesTexts.startText}</p>
<ul class="rows">${links}</ul>
<section><h2>${pagesTexts.becomeAdministrator}</h2>
<p><code>npm run admin -- create you@example.com</code></p>
<p class="aside">${pagesTexts.startAside}</p></section>`;
  const visit = { services, language: languageOf(request) };
  return { status: 200, ...layout(visit, { title: pagesTexts.startTitle, main, isWide: true }) };
}

/** The links in its mails open accounts: only in development, and only on your own machine. */
export function isOutboxShown({ NODE_ENV, BASE_URL, SMTP_URL }: Config): boolean {
  const isOwnMachine = isLoopback(new URL(BASE_URL).hostname);
  return NODE_ENV === 'development' && isOwnMachine && SMTP_URL === undefined;
}

/** The mails that would have been sent, to read without a mail program. */
export const outboxPage: Page = {
  path: '/ui/outbox',
  isWide: true,
  isMounted: isOutboxShown,
  title: () => pagesTexts.outbox,
  content: ({ services }) => {
    const mails = services.mailer.sent ?? [];
    return html`<p>${mails.length > 0 ? pagesTexts.outboxText : pagesTexts.outboxEmpty}</p>
${mails.map(article)}`;
  },
};

function article({ to, subject, text }: Mail): Html {
  return html`<article><h2>${subject}</h2>
<p class="aside">${to}</p>
<pre>${text.split(/(https?:\/\/\S+)/).map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}</pre></article>
`;
}
