import type { Config } from '../../config.js';
import { html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import { hasPermission, requirePermission } from '../../users/account.js';
import { adminPrefix } from '../admin/feature.js';
import { readAsset } from '../pages/assets.js';
import { type Page, signedInPage } from '../pages/page.js';
import { type RouteName, runRoute } from '../pages/run-route.js';
import type { SignedIn } from '../pages/visit.js';
import { panelTexts } from './texts.js';

/** A page that the navigation names, to those who have the permission. */
export interface PanelEntry {
  /** Below ADMIN_PREFIX. */
  path: string;
  label(visit: SignedIn): string;
  permission: string;
}

declare module '../../feature.js' {
  interface FeatureParts {
    panelEntries?: readonly PanelEntry[];
  }
}

/** Where the panel is mounted. */
export function panelPrefix({ ADMIN_PREFIX }: Config): string {
  return ADMIN_PREFIX;
}

export const panelStyle = readAsset('panel.css', import.meta.url);

interface PanelPage extends Omit<Page<SignedIn>, 'api' | 'navigation'> {
  /** Who lacks it gets an HTML 403. The routes of the forms check their own. */
  permission: string;
}

/** A page of the panel: its forms run routes of the administration API. */
export function panelPage({ permission, content, assets = [], ...options }: PanelPage): Route[] {
  return signedInPage({
    ...options,
    api: adminPrefix,
    assets: [panelStyle, ...assets],
    navigation: navigationOf,
    content: async (visit) => {
      requirePermission(visit.caller, permission);
      // The administration may ask for more than a session and a permission.
      await read(visit, 'GET /ping');
      return content(visit);
    },
  });
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
export function panelPath({ services }: SignedIn, path: string): string {
  return services.config.ADMIN_PREFIX + path;
}

function navigationOf(visit: SignedIn) {
  const entries = visit.services.features.flatMap(({ panelEntries }) => panelEntries ?? []);
  const allowed = entries.filter(({ permission }) => hasPermission(visit.caller, permission));
  const links = allowed.map((entry) => {
    const path = panelPath(visit, entry.path);
    const here = visit.request.path === path || visit.request.path.startsWith(`${path}/`);
    const isHere = entry.path === '' ? visit.request.path === path : here;
    return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${entry.label(visit)}</a></li>`;
  });
  return html`<nav aria-label="${panelTexts[visit.language].administration}"><ul>${links}</ul></nav>`;
}
