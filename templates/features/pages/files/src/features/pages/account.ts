import { type Html, type HtmlValue, html } from '../../http/html.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Text } from './language.js';
import { type Page, routesOf } from './page.js';
import { pagesTexts } from './texts.js';
import type { SignedIn } from './visit.js';

/** A page of one's account: it has a row in the list of them, and the way back. */
export interface AccountPage extends Page<SignedIn> {
  section: keyof typeof SECTIONS;
  /** The place of its row in the section. */
  order: number;
  /** How it stands, in a few words, for its row; undefined where there is nothing to see or to do. */
  state(visit: SignedIn): HtmlValue | Promise<HtmlValue>;
  /** By form: what is said once it is done. */
  done?: Record<string, Text>;
}

/** In this order, with the keys of their headings. */
const SECTIONS = { about: 'aboutYou', access: 'signingIn', data: 'yourData' } as const;

/** One's own account, and the pages that its rows lead to. */
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
<h2>${pagesTexts[heading]}</h2>
<ul class="entries">${own}</ul>
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

function withWayBack({ done = {}, content, ...page }: AccountPage): Page<SignedIn> {
  return {
    ...page,
    content: async (visit) => {
      const said = done[visit.query.get('done') ?? ''];
      return html`${said && !visit.refusal && html`<p class="notice good" role="status">${said}</p>`}
${await content(visit)}
<p class="beside"><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${pagesTexts.backToAccount}</a></p>`;
    },
  };
}
