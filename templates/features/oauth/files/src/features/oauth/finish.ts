import { now } from '../../clock.js';
import { HttpError } from '../../http/errors.js';
import { redirect } from '../../http/redirect.js';
import type { RequestFacts } from '../../http/request.js';
import type { Call, Reply } from '../../http/route.js';
import type { Services } from '../../services.js';
import { finishLogin } from '../../session/finish-login.js';
import type { User } from '../../users/user.js';
import { browserHashOf } from '../account-linking/browser.js';
import { requireProvider } from './client.js';
import { exchangeCode } from './exchange.js';
import { asFailure } from './failure.js';
import type { Identity } from './identity.js';
import { leadBack, leadOn } from './lead-on.js';
import { pageOf } from './return-path.js';
import { settleAccount } from './settle.js';
import { consumeState, type Journey } from './state.js';

const METHOD = 'oauth';
/** How long a conflict may wait for the owner's consent. */
const PENDING_MS = 60 * 60 * 1000;

/**
 * Finishes a sign-in that comes back from a provider. The state is checked first, so that no code of
 * somebody else's sign-in is ever exchanged (RFC 9700 §4.5); past that the person is led to a page of
 * the app, whatever happens.
 * Throws OAUTH_NOT_CONFIGURED, INVALID_OAUTH_STATE.
 */
export async function finishSignIn({ params, query, request, services }: Call): Promise<Reply> {
  const { config } = services;
  const { provider: name = '' } = params;
  const provider = requireProvider(config, name);
  const journey = await consumeState(services, request, name, query.get('state') ?? '');
  let identity: Identity;
  try {
    identity = await exchangeCode(config, name, provider, query, journey);
  } catch (error) {
    const failure = asFailure(services, name, error);
    publishFailure(services, request, failure.code, '');
    return leadBack(config, failure);
  }
  try {
    return await signIn(services, request, name, identity, journey);
  } catch (error) {
    // A defect is answered, and logged, as one.
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return leadBack(config, asFailure(services, name, error));
  }
}

async function signIn(
  services: Services,
  request: RequestFacts,
  name: string,
  identity: Identity,
  { returnPath }: Journey,
): Promise<Reply> {
  const settlement = await settleAccount(services, request, name, identity);
  if ('conflict' in settlement) {
    return askOwner(services, request, name, identity, settlement.conflict);
  }
  const { userId } = settlement;
  services.events.publish('identity.auth.oauth.success', { provider: name }, { userId, request });
  // A navigation gets cookies, whatever it says: a redirect has no body that could carry tokens.
  const asBrowser = { ...request, wantsBearer: false };
  const reply = await finishLogin(services, asBrowser, { userId, method: METHOD, provider: name });
  return leadOn(services.config, reply, returnPath);
}

/** The address's owner decides: this browser may ask them for a link, by mail, for an hour. */
async function askOwner(
  services: Services,
  request: RequestFacts,
  provider: string,
  identity: Identity,
  { id: userId, email }: User,
): Promise<Reply> {
  const { id, name, picture } = identity;
  await services.accountLinking.openPending(
    email,
    { provider, id, email, name, picture },
    browserHashOf(services.config, request) ?? '',
    now() + PENDING_MS,
  );
  const subject = { userId, request };
  services.events.publish('identity.auth.oauth.conflict', { provider, email }, subject);
  const query = new URLSearchParams({ provider, code: 'OAUTH_ACCOUNT_CONFLICT', email });
  return redirect(pageOf(services.config, `/account-conflict?${query}`));
}

function publishFailure(
  services: Services,
  request: RequestFacts,
  reason: string,
  email: string,
): void {
  services.events.publish(
    'identity.auth.login.failed',
    { method: METHOD, reason, email },
    { request },
  );
}
