import type { Field } from '../../pages/field.js';
import type { Language } from '../../pages/language.js';
import { texts } from './texts.js';

/** The password that an account has. */
export function currentPassword(
  language: Language,
  name: string,
  label: string = texts[language].password,
): Field {
  return { name, label, type: 'password', autocomplete: 'current-password' };
}

/** A password that is being chosen. */
export function newPassword(
  language: Language,
  name: string,
  label: string = texts[language].password,
): Field {
  return { name, label, type: 'password', autocomplete: 'new-password' };
}
