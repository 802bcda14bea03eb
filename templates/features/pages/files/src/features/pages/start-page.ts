import { html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { languageOf, type Text } from './language.js';
import { layout } from './layout.js';
import { isOutboxShown } from './outbox.js';
import { pagesTexts } from './texts.js';

export type StartLink = readonly [path: string, label: Text];

/**
 * What is at `/` unless a route of yours is: in development a page that shows what there is, in production the way to sign
 * in. Only for browsers that navigate; others are told that there is nothing.
 */
export function startPage(services: Services, request: ServiceRequest): Result | undefined {
  const { config, features } = services;
  if (request.path !== '/' || request.method !== 'GET' || !request.prefersHtml) return undefined;
  const login = `${config.AUTH_PREFIX}/ui/login`;
  if (config.NODE_ENV !== 'development') return { status: 303, headers: { location: login } };
  const link = ([path, label]: StartLink) =>
    html`<li><a href="${path}"><span>${label}</span><code class="aside">${path}</code></a></li>`;
  const links = [
    link([login, pagesTexts.signIn]),
    ...features.flatMap(({ startLinks }) => startLinks?.(config) ?? []).map(link),
    link([`${config.AUTH_PREFIX}/ui/account`, pagesTexts.yourAccount]),
    isOutboxShown(config) && link([`${config.AUTH_PREFIX}/ui/outbox`, pagesTexts.outbox]),
    config.OPENAPI && link(['/docs', pagesTexts.apiDocuments]),
  ];
  const main = html`<p>${pagesTexts.startText}</p>
<ul class="entries">${links}</ul>
<section><h2>${pagesTexts.becomeAdministrator}</h2>
<p><code>npm run admin -- create you@example.com</code></p>
<p class="aside">${pagesTexts.startAside}</p></section>`;
  const visit = { services, language: languageOf(request) };
  return { status: 200, ...layout(visit, { title: pagesTexts.startTitle, main, isWide: true }) };
}
