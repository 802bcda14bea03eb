import { type HtmlValue, html } from '../../http/html.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { carry } from './carried.js';
import { emailField, type Field, form } from './form.js';
import type { Text } from './language.js';
import { type Form, inLanguage, type Page } from './page.js';
import { destinationOf, pathTo } from './paths.js';
import { textOf } from './refusal.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

/** A way to sign in, as the sign-in page offers it. The first one that is there gets the main button. */
export interface SignInWay {
  /** The name of its form. */
  name: string;
  /** The text of its button, which sends the address and the fields. */
  label: Text;
  fields?: Field[];
  /** Below the fields, such as a link for those who have forgotten something. */
  aside?(visit: Visit): HtmlValue;
  form: Form;
  /** Where the code is typed that this way sends. */
  codePage?: string;
}

/** Every form that signs in ends here: at the next step of the sign-in, or where the person wanted to go. */
export function goOnSignedIn(visit: Visit, result: Result): string {
  for (const { afterSignIn } of visit.services.features) {
    const next = afterSignIn?.(visit, result);
    if (next !== undefined) return next;
  }
  return destinationOf(visit);
}

/** Who it is that a form of a way is about, as its route calls it. */
type Who = (visit: Visit, fields: Record<string, string>) => Record<string, string>;

const byAddress: Who = (_visit, { email = '' }) => ({ email });

/** The form of a way: in a first step the address says who it is, in a second one its token. */
export function formOf({ form, codePage }: SignInWay, who: Who): Form {
  const input: Form['input'] = (visit, fields) => ({ ...inLanguage(visit), ...who(visit, fields) });
  if (codePage === undefined) return { ...form, input };
  const next: Form['next'] = (visit, _result, fields) => {
    visit.cookies.push(carry(visit.services, codePage, who(visit, fields)));
    return pathTo(visit, codePage);
  };
  return { ...form, input, next };
}

/** The ways to sign in that features offer: what is typed before what leads to a mailbox or a phone. */
export function signInWays({ features }: Pick<Services, 'features'>): SignInWay[] {
  const ways = features.flatMap(({ signInWay }) => signInWay ?? []);
  return ways.sort((one, other) => Number(!one.fields) - Number(!other.fields));
}

/** The sign-in page: one form, with a button for each way. */
export const loginPage: Page = {
  path: '/ui/login',
  title: () => pagesTexts.signIn,
  // `again`: a sign-in that is too old, or too weak, is repeated.
  elsewhere: (visit) =>
    visit.caller && !visit.query.has('again') ? destinationOf(visit) : undefined,
  content: (visit) => {
    const { services, query } = visit;
    const code = query.get('error') ?? undefined;
    // Of the address only what is a code of ours: anybody can write a link to this page.
    const error =
      code && (code in services.errors ? textOf(visit, { code, extra: {} }) : pagesTexts.refused);
    return html`${error && html`<p class="notice bad" role="alert">${error}</p>`}
${formOfWays(visit)}
${services.features.map(({ besideSignIn }) => besideSignIn?.(visit))}`;
  },
  forms: (services) =>
    Object.fromEntries(signInWays(services).map((way) => [way.name, formOf(way, byAddress)])),
};

function formOfWays(visit: Visit): HtmlValue {
  const ways = signInWays(visit.services);
  const [first, ...others] = ways.map((way) => ({ name: way.name, submit: way.label }));
  const typed = ways.flatMap((way) => way.fields ?? []);
  const asides = html`${ways.map((way) => way.aside?.(visit))}`;
  return first && form(visit, { ...first, fields: [emailField, ...typed, asides], others });
}
