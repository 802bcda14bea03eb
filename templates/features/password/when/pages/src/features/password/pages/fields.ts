import type { Config } from '../../../config.js';
import { type Html, html, type Text } from '../../../http/html.js';
import type { User } from '../../../users/user.js';
import type { Field } from '../../pages/field.js';
import { inLanguageOf } from '../../pages/refusal.js';
import type { Visit } from '../../pages/visit.js';
import { PASSWORD_BYTES } from '../password.js';

declare module '../../../feature.js' {
  interface FeatureParts {
    /** The least length of a new password, in characters, for its fields to state; the policy decides. */
    leastPasswordLength?: (config: Config) => number;
  }
}

/** A field for the account's current password, or for a new one. */
export function passwordField(kind: 'current' | 'new', name: string, label: Text): Field {
  return { name, label, type: 'password', autocomplete: `${kind}-password` };
}

/** States the least length; the greatest to password managers only: `maxlength` would silently cut what is pasted. */
export function newPassword(visit: Visit, name: string, label: Text): Field {
  const { config, features } = visit.services;
  const [least = 1] = features.flatMap((each) => each.leastPasswordLength?.(config) ?? []);
  const rules = `minlength: ${least}; maxlength: ${PASSWORD_BYTES};`;
  const attributes = html` minlength="${least}" passwordrules="${rules}"`;
  const hint = least > 1 && inLanguageOf(visit, `Use at least ${least} characters.`);
  return { ...passwordField('new', name, label), attributes, hint };
}

/** Tells password managers whose password this is; without a name it is not sent. */
export function ownerField({ email }: User): Html {
  return html`<input type="text" autocomplete="username" value="${email}" hidden>`;
}
