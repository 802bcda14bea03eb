import { type Html, type HtmlValue, html, type Text } from '../../http/html.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { hasWayIn, isOwnBrowser } from '../../session/credentials.js';
import type { User } from '../../users/user.js';
import { draftAt, type Fields } from './carried.js';
import { emailField, type Field } from './field.js';
import { form } from './form.js';
import { t } from './language.js';
import type { Form, Page } from './page.js';
import { NOT_PROVEN, textOf } from './refusal.js';
import { carryTo, destinationOf, pathTo, type Visit } from './visit.js';

/** A way to sign in, as the sign-in page offers it. The first one gets the main button. */
export interface SignInWay {
  /** The name of its form. */
  name: string;
  /** The text of its button, which submits the address and the fields. */
  label: Text;
  fields?: Field[];
  /** Another form of the same route, behind a button: for people who have lost what the fields ask for. */
  fallback?: { name: string; label: Text; hint: Text; fields: Field[] };
  /** Shown below the fields, such as a link for people who have forgotten something. */
  aside?(visit: Visit): HtmlValue;
  form: Form;
  /** True if it only completes a sign-in that another way began. */
  isSecondStep?: boolean;
  /** The page for the code, or the link, that this way sends. */
  codePage?: string;
}

/** Where a form that signs in continues: at the next step of the sign-in, or where the visitor wanted to go. */
export function redirectAfterSignIn(visit: Visit, result: Result): string {
  const { features } = visit.services;
  const [next] = features.flatMap(({ afterSignIn }) => afterSignIn?.(visit, result) ?? []);
  return next ?? destinationOf(visit);
}

/** Tells the route who is signing in: at the second step by the token of the first, else by address. */
function whoIs({ carried }: Visit, { email = '' }: Fields): Fields {
  return carried ? { mode: '2fa', ...carried } : { email };
}

/** The forms of all ways to sign in, by name. */
export function signInForms(services: Services): Record<string, Form> {
  const named = signInWays(services).flatMap((way) => [
    [way.name, formOf(way)],
    ...(way.fallback ? [[way.fallback.name, formOf(way)]] : []),
  ]);
  return Object.fromEntries(named);
}

function formOf({ form, codePage }: SignInWay): Form {
  const input: Form['input'] = (fields, visit) => ({ ...fields, ...whoIs(visit, fields) });
  if (codePage === undefined) return { ...form, input };
  const next: Form['next'] = (visit, _result, fields) => {
    // In the browser that requested it, a mailed link continues to where the visitor wanted to go.
    const return_to = visit.query.get('return_to') ?? '';
    const step = visit.request.path.split('/').at(-1) ?? '';
    return carryTo(visit, codePage, { ...whoIs(visit, fields), return_to, step });
  };
  return { ...form, input, next, keepsCarried: true };
}

/** A link to the sign-in page or, from the page for a code, back to the step that offers other ways. */
export function otherWays(visit: Visit): Html {
  const path = pathTo(visit, `/ui/${visit.carried?.step ?? 'login'}`);
  const isOnly =
    signInWays(visit.services).filter(({ isSecondStep }) => !isSecondStep).length === 1;
  const label = isOnly ? t('Back to sign-in') : t('Use another way to sign in');
  return html`<footer><a href="${path}">${label}</a></footer>`;
}

/** Says that something was sent, and where, so that a typo is noticed; not whether the address has an account. */
export function sentNotice({ carried }: Visit, toAddress: Text, toAccount?: Text): Html {
  const email = carried?.email;
  return html`<p class="notice good" role="status">${email ? toAddress : toAccount}${email && html` <strong>${email}</strong>`}</p>`;
}

/** Warns of what the first proof of an address removes, unless this is the account's own browser: see `proveEmail`. */
export async function removalNotice({ services, request }: Visit, { id, emailProvenAt }: User) {
  const removes =
    emailProvenAt === null &&
    (await hasWayIn(services, id)) &&
    !(await isOwnBrowser(services, request, id));
  return (
    removes &&
    html`<p class="notice">${t('Your address was not confirmed before. In case someone else created the account, the sign-in methods that were added to it will be removed. You can then add your own.')}</p>`
  );
}

/** The ways to sign in that features offer: those with a field to type in before those that send something. */
export function signInWays({ features }: Services): SignInWay[] {
  const ways = features.flatMap(({ signInWay }) => signInWay ?? []);
  return ways.sort((one, other) => Number(!one.fields) - Number(!other.fields));
}

/** The sign-in page: one form, with a button for each way. */
export const loginPage: Page = {
  title: () => t('Sign in'),
  // `again`: a sign-in that is too old, or too weak, is repeated. `error`: no account was linked. A form may be another user's.
  elsewhere: (visit) => {
    const { caller, query, request } = visit;
    const isNeeded = query.has('again') || query.has('error') || request.method === 'POST';
    return caller && !isNeeded ? destinationOf(visit) : undefined;
  },
  content: (visit) => {
    const { services, query, caller } = visit;
    const code = query.get('error') ?? '';
    // Of the URL only codes of this service are shown: anybody can link to this page.
    const isOurs = Object.hasOwn(services.errors, code);
    const unfinished = t('The sign-in was not completed.');
    const error = code && (isOurs ? textOf(visit, { code, extra: {} }) : unfinished);
    const [returnPath = ''] = query.get('return_to')?.split('?') ?? [];
    const draft = query.has('again') ? undefined : draftAt(visit, returnPath);
    const isKept = Object.values(draft?.fields ?? {}).some(Boolean);
    const kept = isKept
      ? t('Your session has ended. Sign in to continue; your input is kept.')
      : t('Your session has ended. Sign in to continue.');
    const ended = draft?.form
      ? kept
      : t('Your session has ended. Sign in to continue; what you typed was too long to keep.');
    const again = caller && query.has('again') && textOf(visit, { code: NOT_PROVEN, extra: {} });
    return html`${error && html`<p class="notice bad" role="alert">${error}</p>`}
${again && html`<p class="notice">${again}</p>`}
${draft && html`<p class="notice">${ended}</p>`}
${formOfWays(visit)}
${services.features.map(({ besideSignIn }) => besideSignIn?.(visit))}
${caller && html`<footer><a href="${services.config.AUTH_PREFIX}/ui/account">${t('Your account')}</a></footer>`}`;
  },
  forms: signInForms,
};

function formOfWays(visit: Visit): HtmlValue {
  const ways = signInWays(visit.services).filter(({ isSecondStep }) => !isSecondStep);
  const [first, ...others] = ways.map((way) => ({ name: way.name, submit: way.label }));
  const typed = ways.flatMap((way) => way.fields ?? []);
  const email = { ...emailField, value: visit.caller?.user.email };
  const asides = html`${ways.map((way) => way.aside?.(visit))}`;
  return first && form(visit, { ...first, fields: [email, ...typed, asides], others });
}
