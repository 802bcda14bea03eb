import { profileFields } from '../../policy.js';
import { type Field, form } from './form.js';
import type { Text } from './language.js';
import type { AccountPage } from './page.js';
import { pagesTexts } from './texts.js';

/** The fields that `policy.ts` allows in a profile. */
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
  content: (visit) => {
    const fields = profileInputs(visit.caller.user.metadata);
    return form(visit, { name: 'profile', fields, submit: pagesTexts.save });
  },
  forms: {
    profile: {
      submits: 'PATCH /profile',
      done: pagesTexts.saved,
      // An empty field removes the value.
      input: (fields) =>
        Object.fromEntries(profileFields.map((name) => [name, fields[name] || null])),
    },
  },
};

const AUTOCOMPLETE: Partial<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  name: 'name',
};

/** A form field for each field of a profile; all may stay empty. */
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
