import type { Config } from '../../config.js';
import { type Html, html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { hasPermission, requirePermission } from '../../users/account.js';
import { adminPrefix } from '../admin/feature.js';
import { routesOf } from '../pages/answer.js';
import { readAsset } from '../pages/layout.js';
import type { Page, Pages } from '../pages/page.js';
import { type RouteName, runRoute } from '../pages/run-route.js';
import type { SignedIn, Visit } from '../pages/visit.js';
import { t } from './texts.js';

export function panelPrefix({ ADMIN_PREFIX }: Config): string {
  return ADMIN_PREFIX;
}

const panelStyle = readAsset('panel.css', import.meta.url);

/** A page of the panel: its forms run routes of the administration API. */
export interface PanelPage extends Page<SignedIn> {
  /** A user without it gets a 403 as HTML. The routes of the forms check their own permissions. */
  permission: string;
  /** True if the navigation links to it. */
  isEntry?: boolean;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Pages of the panel, below ADMIN_PREFIX. */
    panelPages?: Pages<PanelPage>;
  }
}

/** The pages of the panel that features contribute. */
export function panelRoutes(services: Services): Route[] {
  return panelPagesOf(services).flatMap(([path, page]) => routesOf({ [path]: framed(page) }));
}

function framed({ permission, content, assets = [], ...page }: PanelPage): Page<SignedIn> {
  return {
    done: t('Your changes are saved.'),
    ...page,
    isPrivate: true,
    api: adminPrefix,
    assets: [panelStyle, ...assets],
    navigation,
    content: async (visit) => {
      requirePermission(visit.caller, permission);
      // Whoever creates something is led to its page.
      requirePermission(visit.caller, permission.replace(/:write$/, ':read'));
      // The administration may require more than a session and a permission.
      await read(visit, 'GET /ping');
      return content(visit);
    },
  };
}

function panelPagesOf({ features }: Services): [path: string, page: PanelPage][] {
  return features.flatMap(({ panelPages = {} }) => Object.entries(panelPages));
}

/** The response body of a GET route of the administration API, after its checks. `Body` is the type of its reply. */
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

/** True if the caller has the permission. */
export function may({ caller }: SignedIn, permission: string): boolean {
  return hasPermission(caller, permission);
}

/** The path of a page of the panel. */
export function panelPath({ services }: Pick<Visit, 'services'>, path: string): string {
  return services.config.ADMIN_PREFIX + path;
}

/** A link to a download of the API, by way of the session's renewal: the page may be older than its access token. */
export function downloadPath({ services: { config } }: SignedIn, path: string): string {
  const search = new URLSearchParams({ return_to: adminPrefix(config) + path });
  return `${config.AUTH_PREFIX}/ui/?${search}`;
}

async function navigation(visit: SignedIn): Promise<Html> {
  const entries = panelPagesOf(visit.services).filter(
    ([, { isEntry, permission }]) => isEntry && may(visit, permission),
  );
  const links = entries.map(async ([below, { title }]) => {
    const path = panelPath(visit, below);
    const isBelow = visit.request.path === path || visit.request.path.startsWith(`${path}/`);
    const isHere = below === '' ? visit.request.path === path : isBelow;
    return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${await title(visit)}</a></li>`;
  });
  return html`<nav aria-label="${t('Administration')}"><a class="skip" href="#main">${t('Skip to the content')}</a>
<ul>${await Promise.all(links)}
<li><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${t('Your account')}</a></li></ul></nav>`;
}
