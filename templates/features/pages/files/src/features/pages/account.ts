import { type Html, html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { type AccountPage, type Page, routesOf } from './page.js';
import { pagesTexts } from './texts.js';
import type { SignedIn } from './visit.js';

/** In this order, with their headings. */
const SECTIONS = {
  about: pagesTexts.aboutYou,
  access: pagesTexts.signingIn,
  data: pagesTexts.yourData,
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
    title: () => pagesTexts.yourAccount,
    content: async (visit) => {
      const rows = await Promise.all(pages.map((page) => row(visit, page)));
      const sections = Object.entries(SECTIONS).map(([section, heading]) => {
        const own = rows.filter((each, at) => each && pages[at]?.section === section);
        const list = html`<section>
<h2>${heading}</h2>
<ul class="rows">${own}</ul>
</section>`;
        return own.length > 0 && list;
      });
      return html`<p>${pagesTexts.signedInAs} <strong>${visit.caller.user.email}</strong></p>
${sections}`;
    },
  };
}

async function row(
  visit: SignedIn,
  { title, path, state }: AccountPage,
): Promise<Html | undefined> {
  const stands = await state(visit);
  if (stands === undefined) return undefined;
  return html`<li><a href="${visit.services.config.AUTH_PREFIX}${path}"><span>${await title(visit)}</span>
<span class="aside">${stands}</span></a></li>`;
}

function withWayBack({ content, ...page }: AccountPage): Page<SignedIn> {
  return {
    ...page,
    content: async (visit) => html`${await content(visit)}
<footer><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${pagesTexts.backToAccount}</a></footer>`,
  };
}
