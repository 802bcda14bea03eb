import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { HttpError } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import { redirect } from '../../../http/replies.js';
import type { Result } from '../../../http/route.js';
import type { Services } from '../../../services.js';
import { carry } from '../../pages/carried.js';
import { isFrontEnd } from '../../pages/error-page.js';
import { type Field, form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import { formOf, signInWays } from '../../pages/login.js';
import type { Form, Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type Visit } from '../../pages/visit.js';
import { availableFactors, ChallengeReply, requireChallenge, SetUpDemand } from '../challenge.js';
import type { secondFactor } from '../feature.js';

const texts = defineTexts({
  title: { en: 'One more step', de: 'Noch ein Schritt' },
  text: {
    en: 'A second factor protects your account. Confirm that it is you.',
    de: 'Ein zweiter Faktor schützt Ihr Konto. Bestätigen Sie, dass Sie es sind.',
  },
  restart: { en: 'Start again', de: 'Von vorn beginnen' },
});

const errorTexts: ErrorTextsOf<typeof secondFactor> = {
  de: {
    INVALID_TEMP_TOKEN: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    TEMP_TOKEN_REQUIRED: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    METHOD_NOT_AVAILABLE: 'Auf diese Weise lässt sich diese Anmeldung nicht abschließen.',
    '2FA_SETUP_REQUIRED': 'Richten Sie zuerst einen zweiten Faktor ein.',
    '2FA_REQUIRED': 'Für dieses Konto ist ein zweiter Faktor vorgeschrieben.',
  },
};

/** A second step that is completed on its page, with a code. */
export interface SecondStep {
  /** The name of its factor. */
  name: string;
  field: Field;
  form: Form;
}

declare module '../../../feature.js' {
  interface FeatureParts {
    secondStep?: SecondStep;
  }
}

const stepsOf = ({ features }: Services): SecondStep[] =>
  features.flatMap(({ secondStep }) => secondStep ?? []);

/** The second step of a sign-in: a code that is typed here, or a method that sends something. */
const secondStepPage: Page = {
  path: '/ui/2fa',
  title: () => texts.title,
  elsewhere: async (visit) =>
    (await methodsOf(visit)) ? undefined : pathTo(visit, '/ui/login', { error: EXPIRED }),
  content: async (visit) => {
    const methods = (await methodsOf(visit)) ?? [];
    const typed = stepsOf(visit.services).filter(({ name }) => methods.includes(name));
    const sent = signInWays(visit.services).filter(({ name }) => methods.includes(name));
    const [first, ...others] = sent.map((way) => ({ name: way.name, submit: way.label }));
    return html`<p>${texts.text}</p>
${typed.map((step) => form(visit, { name: step.name, fields: [step.field], submit: pagesTexts.goOn }))}
${first && html`<section>${form(visit, { ...first, others, look: 'plain' })}</section>`}
<footer><a href="${pathTo(visit, '/ui/login')}">${texts.restart}</a></footer>`;
  },
  forms: (services) => {
    const typed = stepsOf(services).map((step) => [step.name, step.form]);
    const sent = signInWays(services).map((way) => [way.name, formOf(way, ofChallenge)]);
    return Object.fromEntries([...typed, ...sent]);
  },
};

const EXPIRED = 'INVALID_TEMP_TOKEN';
const SET_UP = '/ui/2fa-setup';

function ofChallenge(_fields: unknown, { carried }: Visit): Record<string, string> {
  return { mode: '2fa', ...carried };
}

/** The factors that can finish this sign-in; undefined if it has expired. */
async function methodsOf({ services, carried }: Visit): Promise<string[] | undefined> {
  try {
    const { userId, method } = await requireChallenge(services, carried?.tempToken);
    const account = await services.users.findAccount(userId);
    return account && availableFactors(services, account, method);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** The token of the second step waits in a cookie of its page. */
function afterSignIn(visit: Visit, { body }: Result): string | undefined {
  const { data: challenge } = ChallengeReply.safeParse(body);
  return challenge && goOn(visit, secondStepPage.path, challenge.tempToken);
}

/** A required second factor that is missing is set up during the sign-in, or where a signed-in user needs it. */
function afterRefusal(visit: Visit, { code, extra }: HttpError): string | undefined {
  const { data: demand } = SetUpDemand.safeParse(extra.fields);
  if (demand) return goOn(visit, SET_UP, demand.tempToken);
  const isMissing = code === '2FA_SETUP_REQUIRED';
  return isMissing ? pathTo(visit, SET_UP, { return_to: visit.request.path }) : undefined;
}

function goOn(visit: Visit, page: string, tempToken: string): string {
  visit.cookies.push(carry(visit.services, page, { tempToken }));
  return pathTo(visit, page);
}

const IN_FRAGMENT = /^\/(2fa|login)(?:\?[^#]*)?#tempToken=([^&]+)/;

/** A sign-in at a provider leaves its token for our pages like any other: in a cookie, not in the URL. */
function appRedirect(config: Config, path: string, returnPath = '/'): Result | undefined {
  const [, page, tempToken] = IN_FRAGMENT.exec(path) ?? [];
  if (!tempToken || !isFrontEnd(config)) return undefined;
  const target = page === '2fa' ? secondStepPage.path : SET_UP;
  const returnTo = new URLSearchParams({ return_to: `${config.AUTH_PREFIX}/ui${returnPath}` });
  const location = `${config.BASE_URL}${config.AUTH_PREFIX}${target}?${returnTo}`;
  return { ...redirect(location), cookies: [carry({ config }, target, { tempToken })] };
}

export const secondFactorPages = defineFeature({
  errorTexts,
  afterSignIn,
  afterRefusal,
  appRedirect,
  pages: [secondStepPage],
});
