import { html } from '../../http/html.js';
import type { ServiceRequest } from '../../http/request.js';
import type { Failure } from '../../http/response.js';
import type { Result, Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { languageOf } from './language.js';
import { layout } from './layout.js';
import { isFrontEnd } from './paths.js';
import { textOf } from './refusal.js';
import { startPage } from './start-page.js';
import { pagesTexts } from './texts.js';

/** A failure as a page: at a page, below a prefix of pages, or where a browser navigates to a route that redirects. */
export function errorPage(
  services: Services,
  request: ServiceRequest,
  { code, message }: Failure,
  route: Route | undefined,
): Result | undefined {
  if (request.path === '/') return code === 'NOT_FOUND' ? startPage(services, request) : undefined;
  const { config, features } = services;
  const isBelow = features.some(({ pagePrefix }) => {
    const prefix = pagePrefix?.(config);
    return prefix && `${request.path}/`.startsWith(`${prefix}/`);
  });
  const isRedirect = isFrontEnd(config) && route?.failurePage !== undefined && request.prefersHtml;
  if (!(route?.isPage || isRedirect || (isBelow && !route && !isApi(request)))) return undefined;
  const language = languageOf(request);
  const visit = { services, language };
  const text = textOf(visit, { code, extra: { message } });
  const loginPath = `${config.AUTH_PREFIX}/ui/login`;
  const main = html`<p>${code === 'NOT_FOUND' ? pagesTexts.notFoundText : text}</p>
${code === 'ORIGIN_NOT_ALLOWED' && html`<p>${pagesTexts.wrongAddress} <a href="${config.BASE_URL}">${config.BASE_URL}</a></p>`}
<p><a class="button primary" href="${loginPath}">${pagesTexts.toSignIn}</a></p>`;
  const title = code === 'NOT_FOUND' ? pagesTexts.notFound : pagesTexts.refused;
  return layout(visit, { title, main });
}

/** The API of the administration lies below the prefix of its panel, and answers in JSON whatever a client accepts. */
function isApi({ path }: ServiceRequest): boolean {
  return path.includes('/api/');
}
