import type { Config } from '../../config.js';
import { html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type Language, languageOf } from './language.js';
import { layout } from './layout.js';
import { isOutboxShown } from './outbox.js';
import { pagesTexts } from './texts.js';

declare module '../../feature.js' {
  interface FeatureParts {
    /** What the start page leads to: a path, and what is there. */
    startLinks?: (config: Config, language: Language) => (readonly [path: string, label: string])[];
  }
}

/**
 * What is at `/` unless a route of yours is: in development a page that shows what there is, in production the way to sign
 * in. Only for browsers that navigate; others are told that there is nothing.
 */
export function startPage(services: Services, request: ServiceRequest): Result | undefined {
  const { config, features } = services;
  if (request.path !== '/' || request.method !== 'GET' || !request.prefersHtml) return undefined;
  const login = `${config.AUTH_PREFIX}/ui/login`;
  if (config.NODE_ENV !== 'development') return { status: 303, headers: { location: login } };
  const language = languageOf(request);
  const t = pagesTexts[language];
  const links = [
    [login, t.signIn],
    ...features.flatMap(({ startLinks }) => startLinks?.(config, language) ?? []),
    [`${config.AUTH_PREFIX}/ui/account`, t.yourAccount],
    ...(isOutboxShown(config) ? [[`${config.AUTH_PREFIX}/ui/outbox`, t.outbox]] : []),
    ...(config.OPENAPI ? [['/docs', t.apiDocuments]] : []),
  ];
  const main = html`<p>${t.startText}</p>
<ul class="entries">${links.map(([path = '', label]) => html`<li><a href="${path}"><span>${label}</span><code class="aside">${path}</code></a></li>`)}</ul>
<section><h2>${t.becomeAdministrator}</h2>
<p><code>npm run admin -- create you@example.com</code></p>
<p class="aside">${t.startAside}</p></section>`;
  return {
    status: 200,
    ...layout({ services, language }, { title: t.startTitle, main, isWide: true }),
  };
}
