import type { ErrorCode } from '../../feature.js';
import type { HttpError } from '../../http/errors.js';
import type { HtmlValue } from '../../http/html.js';
import { reauthenticationsOf } from '../../http/route.js';
import { profileFields } from '../../policy.js';
import { type Reauthentication, strongFactorsOf } from '../../session/reauthentication.js';
import type { Draft, Fields } from './carried.js';
import type { Field } from './field.js';
import { fromNow } from './language.js';
import type { Visit } from './visit.js';

/** Why a form was refused, and what was typed into it. */
export interface Refusal {
  /** The name of the form. */
  form: string;
  /** The message above the fields; empty if a field shows it. */
  message: HtmlValue;
  /** False if the visitor has done nothing wrong: the session had ended, or is too old. */
  isMistake: boolean;
  errors: Record<string, string>;
  /** What was typed, by field; a secret as an empty text. */
  typed: Fields;
  /** Fields for reauthentication, if that is what is missing. */
  proofs: Field[];
  /** Where to sign in again, for a user who cannot fill in any of these. */
  signInAgain?: string | undefined;
}

/** The error code of a route that requires reauthentication. */
export const NOT_PROVEN = 'REAUTHENTICATION_REQUIRED';

/** In place of a form's name: the refusal is of the page's query, such as the filters of a list. */
export const QUERY = 'query';

const SECRET = /password|secret|token|code|proof/i;

/**
 * The fields to show again, and to keep until the user has signed in. A `postalCode` of a profile is no secret, nor is a
 * checkbox, whose name has a space: `permission tokens:read`.
 */
export function withoutSecrets(fields: Fields): Fields {
  const isShown = (name: string) =>
    profileFields.includes(name) || /\s/.test(name) || !SECRET.test(name);
  const kept = Object.entries(fields).filter(([name, value]) => value !== '' || isShown(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, isShown(name) ? value : '']));
}

/** What a form shows after its route has thrown. `beside` names the field that each code belongs to. */
export async function explainRefusal(
  visit: Visit,
  { form, fields: typed }: Draft,
  error: HttpError,
  beside: Partial<Record<string, string>> = {},
): Promise<Refusal> {
  const ownField = beside[error.code];
  const proofs = ownField ? [] : await proofsFor(visit, error.code);
  const isMistake = error.code !== NOT_PROVEN;
  const sentence = textOf(visit, error);
  const field = ownField ?? (isMistake ? proofs[0]?.name : undefined);
  const details = error.extra.details ?? [];
  // `events.0` belongs to the field `events`.
  const nameOf = (path: string) => path.split('.')[0] ?? '';
  const errors = details.map((each) => [nameOf(each.path), inLanguageOf(visit, each.message)]);
  return {
    form,
    // Shown once: a field with an error gets the focus.
    message:
      field || details.some(({ message }) => message === error.extra.message) ? '' : sentence,
    isMistake,
    errors: field ? { [field]: errors[0]?.[1] ?? sentence } : Object.fromEntries(errors),
    typed,
    proofs,
  };
}

type Reader = Pick<Visit, 'services' | 'language'>;
type Failed = { code: string; extra: HttpError['extra'] };

/** The sentence for a code: the page's own, else the API's. A message of a rule, such as one of yours, is kept. */
export function textOf(visit: Reader, { code, extra }: Failed): string {
  const standard = visit.services.errors[code]?.[1] ?? '';
  const { message = standard, headers = {} } = extra;
  if (message !== standard) return inLanguageOf(visit, message);
  const wait = fromNow(visit.language, Number(headers['retry-after'] ?? 60));
  return inLanguageOf(visit, code, standard).replace('{wait}', wait);
}

/** The variable parts of a schema's message: numbers, allowed values, and what follows a colon. */
const FIGURES = /-?\d+(\.\d+)?|"[^"]*"(, "[^"]*")*|(?<=: ).+/gs;

/** The features' text for a code or a name or, translated, for a schema's English message; each `#` stands for a variable part. */
export function inLanguageOf({ services, language }: Reader, key: string, otherwise = key): string {
  for (const { texts } of services.features) {
    const known = texts?.[language] ?? {};
    const text: unknown = known[key] ?? known[key.replace(FIGURES, '#')];
    const figures = key.match(FIGURES) ?? [];
    // A key may be a script's message, such as `constructor`.
    if (typeof text === 'string') return text.replaceAll('#', () => figures.shift() ?? '');
  }
  return otherwise;
}

/** The proofs to ask for: after a wrong one the same again, else those that this account can give. */
async function proofsFor({ services, caller }: Visit, code: ErrorCode): Promise<Field[]> {
  const { features } = services;
  const all = features.flatMap(({ proofField }) => proofField ?? []);
  const ways = reauthenticationsOf(services);
  const ofKind = (isWanted: (way: Reauthentication) => boolean) =>
    all.filter(({ name }) => ways.some((way) => way.field === name && isWanted(way)));
  if (code !== NOT_PROVEN || !caller) return ofKind(({ refuses }) => refuses === code);
  const strong = await strongFactorsOf(services, caller);
  if (strong.length > 0) return ofKind(({ shows }) => strong.includes(shows));
  const given: (Reauthentication | undefined)[] = [];
  for (const { credential, reauthentication } of features) {
    if (await credential?.opensAccount?.(services, caller.user.id)) given.push(reauthentication);
  }
  return ofKind((way) => given.includes(way));
}
