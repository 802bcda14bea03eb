import { html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type AccountPage, type Page, routesOf } from './page.js';
import { t } from './texts.js';
import type { SignedIn } from './visit.js';

/** In this order. */
const SECTIONS = {
  about: t('About you'),
  access: t('Signing in'),
  data: t('Your data'),
};

/** The account of the signed-in user, and the pages that its rows link to. */
export function accountRoutes({ features }: Pick<Services, 'features'>): Route[] {
  const pages = features.flatMap(({ accountPages }) => accountPages ?? []);
  const sorted = pages.toSorted((one, other) => one.order - other.order);
  const shown = [overviewPage(sorted), ...pages.map(withWayBack)];
  return shown.flatMap((page) => routesOf(page, true));
}

function overviewPage(pages: AccountPage[]): Page<SignedIn> {
  return {
    path: '/ui/account',
    title: () => t('Your account'),
    content: async (visit) => {
      const rows = await Promise.all(pages.map((page) => row(visit, page)));
      const sections = Object.entries(SECTIONS).map(([section, heading]) => {
        const sectionRows = rows.filter((each, at) => each && pages[at]?.section === section);
        const list = html`<section>
<h2>${heading}</h2>
<ul class="rows">${sectionRows}</ul>
</section>`;
        return sectionRows.length > 0 && list;
      });
      return html`<p>${t('You are signed in as')} <strong>${visit.caller.user.email}</strong></p>
${sections}`;
    },
  };
}

async function row(visit: SignedIn, { title, path, state }: AccountPage) {
  const shown = await state(visit);
  if (shown === undefined) return undefined;
  return html`<li><a href="${visit.services.config.AUTH_PREFIX}${path}"><span>${await title(visit)}</span>
<span class="aside">${shown}</span></a></li>`;
}

function withWayBack({ content, ...page }: AccountPage): Page<SignedIn> {
  return {
    ...page,
    content: async (visit) => html`${await content(visit)}
<footer><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${t('Back to your account')}</a></footer>`,
  };
}
