import type { ErrorCode } from '../../feature.js';
import type { HttpError } from '../../http/errors.js';
import type { HtmlValue } from '../../http/html.js';
import type { Services } from '../../services.js';
import type { Draft } from './draft.js';
import type { Field } from './form.js';
import type { Visit } from './visit.js';

/** What a form was refused for, and what was typed into it. */
export interface Refusal {
  /** The name of the form. */
  form: string;
  /** What stands above the fields; nothing if a field says it. */
  message: HtmlValue;
  /** By field: what is wrong with it. */
  errors: Record<string, string>;
  /** By field: what was typed, without secrets. */
  typed: Record<string, string>;
  /** Fields that prove anew who somebody is, if that is what is missing. */
  proofs: Field[];
  /** Where a new sign-in does so, for whoever cannot fill in any of these. */
  signInAgain?: string | undefined;
}

/** A way to prove anew who one is, in a form whose route asks for that. */
export interface ProofField {
  /** The code that a wrong one is refused with. */
  refuses: ErrorCode;
  /** True for a factor that nothing weaker may stand in for. */
  isStrong?: boolean;
  isSet(services: Services, userId: string): Promise<boolean>;
  field: Field;
}

/** What a route answers that wants to know anew who somebody is. */
export const NOT_PROVEN = 'REAUTHENTICATION_REQUIRED';

const SECRETS = /password|secret|token|code|proof/i;

/** True for a field whose value is never shown again, nor kept. */
export function isSecretField(name: string): boolean {
  return SECRETS.test(name);
}

/** What a form shows after its route has thrown. `beside` names the field that a code belongs to. */
export async function explainRefusal(
  visit: Visit,
  { form, fields }: Pick<Draft, 'form' | 'fields'>,
  error: HttpError,
  beside: Partial<Record<string, string>> = {},
): Promise<Refusal> {
  const typed = Object.entries(fields).filter(([name]) => !isSecretField(name));
  const own = beside[error.code];
  const proofs = own ? [] : await proofsFor(visit, error.code);
  const wrongProof = proofs.find(({ refuses }) => refuses === error.code)?.field;
  const sentence = textOf(visit, error);
  const field = own ?? wrongProof?.name;
  const details = (error.extra.details ?? []).map(({ path, message }) => [
    // Of `events.0` the field is `events`.
    path.split('.')[0],
    inLanguageOf(visit, message),
  ]);
  return {
    form,
    // Said once: a field that has an error gets the focus.
    message: field ? '' : sentence,
    errors: field ? { [field]: sentence } : Object.fromEntries(details),
    typed: Object.fromEntries(typed),
    proofs: proofs.map((each) => each.field),
  };
}

/** The sentence for a code: the page's own, else that of the API. One of a rule, of yours for instance, is kept. */
export function textOf(
  visit: Pick<Visit, 'services' | 'language'>,
  { code, extra }: { code: string; extra: { message?: string } },
): string {
  const usual = visit.services.errors[code]?.[1] ?? '';
  const { message = usual } = extra;
  return message === usual ? inLanguageOf(visit, code, usual) : inLanguageOf(visit, message);
}

/** What is in a sentence of a schema from case to case: numbers, and values that are allowed. */
const FIGURES = /-?\d+(\.\d+)?|"[^"]*"(, "[^"]*")*/g;

/** What the features say of a code, or of a sentence of a schema, which does not know who reads it: there # is its figure. */
function inLanguageOf(
  { services, language }: Pick<Visit, 'services' | 'language'>,
  key: string,
  otherwise = key,
): string {
  for (const { errorTexts } of services.features) {
    const texts: Partial<Record<string, string>> = errorTexts?.[language] ?? {};
    const text = texts[key] ?? texts[key.replace(FIGURES, '#')];
    if (text) return text.replace('#', key.match(FIGURES)?.[0] ?? '');
  }
  return otherwise;
}

/** After a wrong proof that one again; else those that count for this account. */
async function proofsFor({ services, caller }: Visit, code: ErrorCode): Promise<ProofField[]> {
  const all = services.features.flatMap(({ proofField }) => proofField ?? []);
  if (code !== NOT_PROVEN || !caller) return all.filter(({ refuses }) => refuses === code);
  const isSet = await Promise.all(all.map((each) => each.isSet(services, caller.user.id)));
  const set = all.filter((_, at) => isSet[at]);
  const strong = set.filter(({ isStrong }) => isStrong);
  return strong.length > 0 ? strong : set;
}
