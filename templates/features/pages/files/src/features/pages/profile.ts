import { profileFields } from '../../policy.js';
import { type Field, form } from './form.js';
import type { AccountPage } from './page.js';
import { inLanguageOf } from './refusal.js';
import { t } from './texts.js';
import type { Visit } from './visit.js';

/** The fields that `policy.ts` allows in a profile. */
export const profilePage: AccountPage = {
  path: '/ui/account/profile',
  section: 'about',
  order: 3,
  title: () => t('Profile'),
  state: ({ caller }) => {
    const { metadata } = caller.user;
    const values = metadata.name ? [metadata.name] : profileFields.map((name) => metadata[name]);
    const texts = values.filter((value) => typeof value === 'string');
    return texts.join(' ') || t('Not filled in yet');
  },
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
