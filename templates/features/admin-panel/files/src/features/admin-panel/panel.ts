import type { Config } from '../../config.js';
import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { hasPermission, requirePermission } from '../../users/account.js';
import { adminPrefix } from '../admin/feature.js';
import { readAsset } from '../pages/assets.js';
import { alertOf } from '../pages/form.js';
import type { Text } from '../pages/language.js';
import { type Page, routesOf } from '../pages/page.js';
import { type RouteName, runRoute } from '../pages/run-route.js';
import type { SignedIn, Visit } from '../pages/visit.js';
import { panelTexts } from './texts.js';

/** Where the panel is mounted. */
export function panelPrefix({ ADMIN_PREFIX }: Config): string {
  return ADMIN_PREFIX;
}

export const panelStyle = readAsset('panel.css', import.meta.url);

/** A page of the panel: its forms run routes of the administration API. */
export interface PanelPage extends Page<SignedIn> {
  /** Who lacks it gets an HTML 403. The routes of the forms check their own. */
  permission: string;
  /** By form: what is said once it is done, if that is more than can be seen. */
  done?: Record<string, Text>;
  /** True if the navigation leads to it. */
  isEntry?: boolean;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Pages of the panel, below ADMIN_PREFIX. */
    panelPages?: readonly PanelPage[];
  }
}

/** The pages of the panel that features contribute. */
export function panelRoutes(services: Services): Route[] {
  const framed = panelPagesOf(services).map(
    ({ permission, content, done, assets = [], ...page }) => ({
      ...page,
      api: adminPrefix,
      assets: [panelStyle, ...assets],
      navigation,
      content: async (visit: SignedIn) => {
        requirePermission(visit.caller, permission);
        // The administration may ask for more than a session and a permission.
        await read(visit, 'GET /ping');
        return html`${outcome(visit, done)}
${await content(visit)}`;
      },
    }),
  );
  return framed.flatMap((page) => routesOf(page, true));
}

/** What became of the form that was just sent. */
function outcome({ query, refusal }: SignedIn, texts: PanelPage['done'] = {}): HtmlValue {
  const done = query.get('done');
  if (refusal) return alertOf(refusal);
  if (done === null) return undefined;
  return html`<p class="notice good" role="status">${texts[done] ?? panelTexts.done}</p>`;
}

function panelPagesOf({ features }: Services): PanelPage[] {
  return features.flatMap(({ panelPages }) => panelPages ?? []);
}

/** What a GET route of the administration API answers, after its checks. `Body` is its reply. */
export async function read<Body>(
  { services, request }: SignedIn,
  name: RouteName,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  const prefix = adminPrefix(services.config);
  const { body } = await runRoute(services, request, name, fields, prefix);
  // Safe: the caller names the type that the route declares.
  return body as Body;
}

/** The address of a page of the panel. */
export function panelPath({ services }: Pick<Visit, 'services'>, path: string): string {
  return services.config.ADMIN_PREFIX + path;
}

async function navigation(visit: SignedIn): Promise<Html> {
  const entries = panelPagesOf(visit.services).filter(
    ({ isEntry, permission }) => isEntry && hasPermission(visit.caller, permission),
  );
  const links = entries.map(async (entry) => {
    const path = panelPath(visit, entry.path);
    const here = visit.request.path === path || visit.request.path.startsWith(`${path}/`);
    const isHere = entry.path === '' ? visit.request.path === path : here;
    return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${await entry.title(visit)}</a></li>`;
  });
  return html`<nav aria-label="${panelTexts.administration}"><ul>${await Promise.all(links)}</ul></nav>`;
}
