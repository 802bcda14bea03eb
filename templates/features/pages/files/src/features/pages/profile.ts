import { profileFields } from '../../policy.js';
import type { AccountPage } from './account.js';
import { type Field, form } from './form.js';
import type { Text } from './language.js';
import { pagesTexts } from './texts.js';

/** What `policy.ts` lets a profile consist of. */
export const profilePage: AccountPage = {
  path: '/ui/account/profile',
  section: 'about',
  order: 3,
  title: () => pagesTexts.profile,
  state: ({ caller }) => {
    const { metadata } = caller.user;
    const values = metadata.name ? [metadata.name] : profileFields.map((name) => metadata[name]);
    const texts = values.filter((value) => typeof value === 'string');
    return texts.join(' ') || pagesTexts.noProfile;
  },
  done: { profile: pagesTexts.saved },
  content: (visit) => {
    const fields = profileInputs(visit.caller.user.metadata);
    return form(visit, { name: 'profile', fields, submit: pagesTexts.save });
  },
  forms: {
    profile: {
      submits: 'PATCH /profile',
      // An empty field takes the value away.
      input: (_visit, fields) =>
        Object.fromEntries(profileFields.map((name) => [name, fields[name] || null])),
    },
  },
};

const AUTOCOMPLETE: Partial<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  name: 'name',
};

/** A field of a form for each of a profile, which may all stay empty. */
export function profileInputs(values: Record<string, unknown> = {}): Field[] {
  const labels: Partial<Record<string, Text>> = pagesTexts;
  return profileFields.map((name) => ({
    name,
    label: labels[name] ?? name,
    autocomplete: AUTOCOMPLETE[name] ?? 'off',
    value: String(values[name] ?? ''),
    isOptional: true,
  }));
}
