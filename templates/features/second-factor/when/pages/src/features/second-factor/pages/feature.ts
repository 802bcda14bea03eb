import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import { HttpError } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import { type Result, redirect } from '../../../http/route.js';
import { carry, type Fields } from '../../pages/carried.js';
import { isFrontEnd } from '../../pages/error-page.js';
import { form } from '../../pages/form.js';
import { formsOf, signInWays } from '../../pages/login.js';
import type { Page } from '../../pages/page.js';
import { type TextsOf, translator } from '../../pages/texts.js';
import { carryTo, pathTo, type Visit } from '../../pages/visit.js';
import { availableFactors, ChallengeReply, requireChallenge, SetUpRequired } from '../challenge.js';
import type { secondFactor } from '../feature.js';

const t = translator({
  de: {
    'One more step': 'Noch ein Schritt',
    'A second factor protects your account. Confirm that it is you.':
      'Ein zweiter Faktor schützt Ihr Konto. Bestätigen Sie, dass Sie es sind.',
    'Start again': 'Von vorn beginnen',
    INVALID_TEMP_TOKEN: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    TEMP_TOKEN_REQUIRED: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    METHOD_NOT_AVAILABLE: 'Auf diese Weise lässt sich diese Anmeldung nicht abschließen.',
    '2FA_SETUP_REQUIRED': 'Richten Sie zuerst einen zweiten Faktor ein.',
    '2FA_REQUIRED': 'Für dieses Konto ist ein zweiter Faktor vorgeschrieben.',
  },
} satisfies TextsOf<typeof secondFactor>);

/** The second step of a sign-in: a code that is typed here, or a method that sends something. */
const secondStepPage: Page = {
  path: '/ui/2fa',
  title: () => t('One more step'),
  elsewhere: async (visit) =>
    (await methodsOf(visit)) ? undefined : pathTo(visit, '/ui/login', { error: EXPIRED }),
  content: async (visit) => {
    const methods = (await methodsOf(visit)) ?? [];
    const ways = signInWays(visit.services).filter(({ name }) => methods.includes(name));
    const sent = ways.filter(({ fields }) => !fields);
    const [first, ...others] = sent.map((way) => ({ name: way.name, submit: way.label }));
    return html`<p>${t('A second factor protects your account. Confirm that it is you.')}</p>
${ways.map(({ name, label, fields }) => fields && form(visit, { name, fields, submit: label }))}
${first && html`<section>${form(visit, { ...first, others, look: 'plain' })}</section>`}
<footer><a href="${pathTo(visit, '/ui/login')}">${t('Start again')}</a></footer>`;
  },
  forms: (services) => formsOf(signInWays(services)),
};

const EXPIRED = 'INVALID_TEMP_TOKEN';
const SET_UP = '/ui/2fa-setup';

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
  return challenge && carryTo(visit, secondStepPage.path, { tempToken: challenge.tempToken });
}

/** A required second factor that is missing is set up during the sign-in, or where a signed-in user needs it. */
function afterRefusal(visit: Visit, { code, extra }: HttpError): string | undefined {
  const { data: demand } = SetUpRequired.safeParse(extra.fields);
  if (demand) return carryTo(visit, SET_UP, { bearerToken: demand.tempToken });
  const isMissing = code === '2FA_SETUP_REQUIRED';
  return isMissing ? pathTo(visit, SET_UP, { return_to: visit.request.path }) : undefined;
}

const IN_FRAGMENT = /^\/(2fa|login)(?:\?[^#]*)?#tempToken=([^&]+)/;

/** A sign-in at a provider leaves its token for our pages like any other: in a cookie, not in the URL. */
function appRedirect(config: Config, path: string, returnPath = '/'): Result | undefined {
  const [, page, tempToken] = IN_FRAGMENT.exec(path) ?? [];
  if (!tempToken || !isFrontEnd(config)) return undefined;
  const isSetUp = page === 'login';
  const target = isSetUp ? SET_UP : secondStepPage.path;
  const fields: Fields = isSetUp ? { bearerToken: tempToken } : { tempToken };
  const returnTo = new URLSearchParams({ return_to: `${config.AUTH_PREFIX}/ui${returnPath}` });
  const location = `${config.BASE_URL}${config.AUTH_PREFIX}${target}?${returnTo}`;
  return { ...redirect(location), cookies: [carry(config, target, fields)] };
}

export const secondFactorPages = defineFeature({
  texts: t.texts,
  afterSignIn,
  afterRefusal,
  appRedirect,
  pages: [secondStepPage],
});
