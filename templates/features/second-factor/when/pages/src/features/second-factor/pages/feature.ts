import type { Config } from '../../../config.js';
import { defineFeature } from '../../../feature.js';
import type { HttpError } from '../../../http/errors.js';
import { redirect } from '../../../http/replies.js';
import type { Result } from '../../../http/route.js';
import { carry } from '../../pages/carried.js';
import { isFrontEnd, pathTo } from '../../pages/paths.js';
import type { Visit } from '../../pages/visit.js';
import { ChallengeReply, SetUpDemand } from '../challenge.js';
import { secondStepPage } from './second-step.js';
import { errorTexts } from './texts.js';

/** The token of the second step waits in a cookie of its page. */
function afterSignIn(visit: Visit, { body }: Result): string | undefined {
  const { data: challenge } = ChallengeReply.safeParse(body);
  return challenge && goOn(visit, '/ui/2fa', challenge.tempToken);
}

/** A second factor that is demanded and missing is set up on the way. */
function afterRefusal(visit: Visit, { extra }: HttpError): string | undefined {
  const { data: demand } = SetUpDemand.safeParse(extra.fields);
  return demand && goOn(visit, '/ui/2fa-setup', demand.tempToken);
}

function goOn(visit: Visit, page: string, tempToken: string): string {
  visit.cookies.push(carry(visit.services, page, { tempToken }));
  return pathTo(visit, page);
}

const IN_FRAGMENT = /^\/(2fa|login)(?:\?[^#]*)?#tempToken=([^&]+)/;

/** A sign-in at a provider leaves its token for our pages as others do: in a cookie, and not in the address. */
function appRedirect(config: Config, path: string, returnPath = '/'): Result | undefined {
  const [, page, tempToken] = IN_FRAGMENT.exec(path) ?? [];
  if (!tempToken || !isFrontEnd(config)) return undefined;
  const target = page === '2fa' ? '/ui/2fa' : '/ui/2fa-setup';
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
