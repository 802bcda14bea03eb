import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { type Call, type Result, redirect } from '../../../http/route.js';
import { carry, type Fields } from '../../pages/carried.js';
import { isFrontEnd } from '../../pages/fallback.js';
import { confirmedForm, form } from '../../pages/form.js';
import { createGuard } from '../../pages/guard.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, signInForms, signInWays } from '../../pages/login.js';
import { carryTo, destinationOf, pathTo, pathWith, type Visit } from '../../pages/visit.js';
import { availableFactors, ChallengeReply, requireChallenge, SetUpRequired } from '../challenge.js';
import type { secondFactor } from '../feature.js';

const t = translator({
  en: {
    INVALID_TEMP_TOKEN:
      'This sign-in has expired, or there were too many wrong codes. Start again.',
    TEMP_TOKEN_REQUIRED: 'This sign-in has expired. Start again.',
  },
  de: {
    'One more step': 'Noch ein Schritt',
    'A second factor protects your account. Confirm that it is you.':
      'Ein zweiter Faktor schützt Ihr Konto. Bestätigen Sie, dass Sie es sind.',
    INVALID_TEMP_TOKEN:
      'Diese Anmeldung ist abgelaufen, oder es gab zu viele falsche Codes. Beginnen Sie noch einmal.',
    TEMP_TOKEN_REQUIRED: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    METHOD_NOT_AVAILABLE: 'Dieses Verfahren steht hier nicht zur Verfügung.',
    '2FA_SETUP_REQUIRED': 'Richten Sie zuerst einen zweiten Faktor ein.',
    '2FA_REQUIRED': 'Für dieses Konto ist ein zweiter Faktor vorgeschrieben.',
  },
} satisfies TextsOf<typeof secondFactor>);

const SECOND_STEP = '/ui/2fa';
const SET_UP = '/ui/2fa-setup';

/** The way to a new sign-in; to where this one leads, if it was finished in another tab. */
function startAgain(visit: Visit, error: string): string {
  const isFinished = visit.caller && error === 'TEMP_TOKEN_REQUIRED';
  return isFinished ? destinationOf(visit) : pathTo(visit, '/ui/login', { error });
}

export const secondFactorPages: FeatureParts & { appRedirect: typeof appRedirect } = {
  texts: t.texts,
  // The token of the second step waits in a cookie of its page, until the sign-in is complete.
  afterSignIn: (visit, { body }) => {
    const { data: challenge } = ChallengeReply.safeParse(body);
    // Whoever signs in now must not continue what somebody else began in this browser.
    carryTo(visit, SET_UP);
    const path = carryTo(visit, SECOND_STEP, challenge && { tempToken: challenge.tempToken });
    return challenge && path;
  },
  // A sign-in that has expired begins again. A required second factor that is missing is set up during the sign-in, or
  // where a signed-in user needs it.
  afterRefusal: (visit, { code, extra }) => {
    if (code === 'INVALID_TEMP_TOKEN' || code === 'TEMP_TOKEN_REQUIRED') {
      carryTo(visit, SECOND_STEP);
      return startAgain(visit, code);
    }
    const { data: demand } = SetUpRequired.safeParse(extra.fields);
    if (demand)
      return carryTo(visit, SET_UP, { bearerToken: demand.tempToken, guard: visit.guard });
    const isMissing = code === '2FA_SETUP_REQUIRED';
    const parameters = { return_to: visit.request.path, error: code };
    return isMissing ? pathWith(carryTo(visit, SET_UP), parameters) : undefined;
  },
  appRedirect,
  pages: {
    // The second step of a sign-in: a code that is typed here, or a method that sends something.
    '/ui/2fa': {
      title: () => t('One more step'),
      elsewhere: (visit) => (visit.carried ? undefined : startAgain(visit, 'TEMP_TOKEN_REQUIRED')),
      content: async (visit) => {
        const methods = await methodsOf(visit);
        const ways = signInWays(visit.services).filter(({ name }) => methods.includes(name));
        const sent = ways.filter(({ fields }) => !fields);
        const [first, ...others] = sent.map(({ name, label }) => ({ name, submit: label }));
        return html`<p>${t('A second factor protects your account. Confirm that it is you.')}</p>
${ways.map(({ name, label, fields }) => fields && form(visit, { name, fields, submit: label }))}
${first && html`<section>${form(visit, { ...first, others, look: 'plain' })}</section>`}
${ways.map(({ fallback }) => fallback && confirmedForm(visit, fallback.hint, { ...fallback, submit: fallback.label, look: 'plain' }))}
${otherWays(visit)}`;
      },
      forms: signInForms,
    },
  },
};

/** The factors that can finish this sign-in. Throws INVALID_TEMP_TOKEN if it has expired. */
async function methodsOf({ services, carried }: Visit): Promise<string[]> {
  const { userId, method } = await requireChallenge(services, carried?.tempToken);
  const account = await services.users.findAccount(userId);
  return account ? availableFactors(services, account, method) : [];
}

const IN_FRAGMENT = /^\/(2fa|login)(?:\?[^#]*)?#tempToken=([^&]+)/;

/** A sign-in that ends in a redirect, where there is one, leaves its token in a cookie like any other, not in the URL. */
function appRedirect(call: Call, path: string, returnPath: string): Result | undefined {
  const { config } = call.services;
  const [, page, tempToken] = IN_FRAGMENT.exec(path) ?? [];
  if (!isFrontEnd(config)) return undefined;
  const { APP_URL, AUTH_PREFIX, BASE_URL } = config;
  if (!tempToken) {
    const cookies = [SET_UP, SECOND_STEP].map((page) => carry(config, AUTH_PREFIX + page));
    return path === returnPath ? { ...redirect(new URL(APP_URL + path).href), cookies } : undefined;
  }
  const isSetUp = page === 'login';
  const target = AUTH_PREFIX + (isSetUp ? SET_UP : SECOND_STEP);
  const { guard, cookies } = createGuard(call.services, call.request);
  const fields: Fields = isSetUp ? { bearerToken: tempToken, guard } : { tempToken };
  const location = pathWith(BASE_URL + target, { return_to: `${AUTH_PREFIX}/ui${returnPath}` });
  return { ...redirect(location), cookies: [carry(config, target, fields), ...cookies] };
}
