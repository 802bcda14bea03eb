import { html } from '../../http/html.js';
import { profileFields } from '../../policy.js';
import type { Services } from '../../services.js';
import type { Field } from './field.js';
import { form } from './form.js';
import { t } from './language.js';
import type { AccountPage, Page, Pages } from './page.js';
import { inLanguageOf } from './refusal.js';
import type { SignedIn, Visit } from './visit.js';

/** In this order. */
const SECTIONS = { about: t('About you'), access: t('Signing in'), data: t('Your data') };

/** The account of the signed-in user, and the pages that its rows link to. */
export function accountPages({ features }: Pick<Services, 'features'>): Pages<Page<SignedIn>> {
  const pages = features.flatMap(({ accountPages = {} }) => Object.entries(accountPages));
  const others = pages.map(([path, page]) => [path, withWayBack(page)]);
  const sorted = pages.sort(([, one], [, other]) => one.order - other.order);
  return { '/ui/account': overviewPage(sorted), ...Object.fromEntries(others) };
}

function overviewPage(pages: [path: string, page: AccountPage][]): Page<SignedIn> {
  return {
    isPrivate: true,
    title: () => t('Your account'),
    content: async (visit) => {
      const sections = Object.entries(SECTIONS).map(async ([section, heading]) => {
        const ofSection = pages.filter(([, page]) => page.section === section);
        const rows = await Promise.all(ofSection.map(([path, page]) => row(visit, path, page)));
        const list = html`<section>
<h2>${heading}</h2>
<ul class="rows">${rows}</ul>
</section>`;
        return rows.some(Boolean) && list;
      });
      return html`<p>${t('You are signed in as')} <strong>${visit.caller.user.email}</strong></p>
${await Promise.all(sections)}`;
    },
  };
}

async function row(visit: SignedIn, path: string, { title, state }: AccountPage) {
  const shown = await state(visit);
  if (shown === undefined) return undefined;
  return html`<li><a href="${visit.services.config.AUTH_PREFIX}${path}"><span>${await title(visit)}</span>
<span class="aside">${shown}</span></a></li>`;
}

function withWayBack({ content, ...page }: AccountPage): Page<SignedIn> {
  return {
    ...page,
    isPrivate: true,
    content: async (visit) => html`${await content(visit)}
<footer><a href="${visit.services.config.AUTH_PREFIX}/ui/account">${t('Your account')}</a></footer>`,
  };
}

/** The fields that `policy.ts` allows in a profile. */
export const profilePage: AccountPage = {
  section: 'about',
  order: 3,
  title: () => t('Profile'),
  state: ({ caller }) => nameIn(caller.user.metadata) || t('Not filled in yet'),
  content: (visit) => {
    const fields = profileInputs(visit, visit.caller.user.metadata);
    return form(visit, { name: 'profile', fields, submit: t('Save') });
  },
  forms: {
    profile: {
      submits: 'PATCH /profile',
      done: t('Your changes are saved.'),
      // An empty field removes the value.
      input: (fields) =>
        Object.fromEntries(profileFields.map((name) => [name, fields[name] || null])),
    },
  },
};

/** The name in a profile, as far as it is text. */
export function nameIn(metadata: Record<string, unknown>): string {
  const values = metadata.name ? [metadata.name] : [metadata.firstName, metadata.lastName];
  return values.filter((value) => typeof value === 'string').join(' ');
}

const AUTOCOMPLETE: Partial<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  name: 'name',
};

/** A form field for each field of a profile; all may stay empty. */
export function profileInputs(visit: Visit, values: Record<string, unknown> = {}): Field[] {
  return profileFields.map((name) => ({
    name,
    label: inLanguageOf(visit, name),
    autocomplete: AUTOCOMPLETE[name] ?? 'off',
    value: String(values[name] ?? ''),
    isOptional: true,
  }));
}
