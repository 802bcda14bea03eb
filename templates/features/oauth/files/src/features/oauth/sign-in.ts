import * as openid from 'openid-client';
import { HttpError, refuse } from '../../http/errors.js';
import { type Call, type Result, redirect } from '../../http/route.js';
import type { Services } from '../../services.js';
import { finishLogin, logRefusedSignIn, recordRefusedSignIn } from '../../session/finish-login.js';
import type { User } from '../../users/user.js';
import { openPending } from '../account-linking/linked-accounts.js';
import { findOrCreateAccount } from './account.js';
import { pathAfterFailure, pathAfterSignIn } from './app-pages.js';
import { exchangeCode, providerClient } from './client.js';
import { requireProvider } from './configured-provider.js';
import type { Identity } from './provider.js';
import { browserOf, checkReturnPath, consumeState, startPendingSignIn, stateOf } from './state.js';

/** The method's name in sessions and events. */
export const METHOD = 'oauth';
/** RFC 6749 §4.1.2.1 and its extensions. Nothing else of a provider's response gets into our URLs. */
const ERROR_CODE = /^[a-z_]{1,64}$/;

/**
 * Sends a browser to a provider, or back to the login page if the provider cannot be reached.
 * Throws OAUTH_NOT_CONFIGURED, OAUTH_RETURN_PATH_INVALID.
 */
export async function beginSignIn(call: Call): Promise<Result> {
  const { params, query, request, services } = call;
  const { config } = services;
  const provider = requireProvider(config, params.provider);
  const pending = startPendingSignIn(checkReturnPath(query.get('return_path')));
  try {
    const browser = browserOf(config, request);
    const url = openid.buildAuthorizationUrl(await providerClient(config, provider), {
      redirect_uri: provider.redirectUri,
      scope: provider.scope ?? 'openid email profile',
      state: stateOf(services, provider.name, browser.hash, pending),
      code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(provider.protocol === 'openid' ? { nonce: pending.id } : {}),
      ...provider.parameters,
    });
    return { ...redirect(url.href), cookies: [browser.cookie] };
  } catch (error) {
    const reason = failureCodeOf(services, provider.name, error);
    return toApp(call, pathAfterFailure(reason), pending.returnPath);
  }
}

/**
 * Finishes a sign-in that comes back from a provider. The state is checked first, so that the code
 * of somebody else's sign-in is never exchanged (RFC 9700 §4.5). After that, every outcome is a
 * redirect to a page of the app. Throws OAUTH_NOT_CONFIGURED, INVALID_OAUTH_STATE.
 */
export async function finishSignIn(call: Call): Promise<Result> {
  const { params, query, request, services } = call;
  const { config } = services;
  const provider = requireProvider(config, params.provider);
  const pending = await consumeState(services, request, provider.name, query.get('state') ?? '');
  let identity: Identity;
  try {
    identity = await exchangeCode(config, provider, query, pending);
  } catch (error) {
    const reason = failureCodeOf(services, provider.name, error);
    recordRefusedSignIn(services, request, { method: METHOD, reason });
    return toApp(call, pathAfterFailure(reason), pending.returnPath);
  }
  try {
    return await signIn(call, identity, pending.returnPath);
  } catch (error) {
    // Unexpected errors are logged and answered with 500.
    if (!(error instanceof HttpError) || error.code === 'UNAVAILABLE') throw error;
    const { code: reason, extra } = error;
    recordRefusedSignIn(services, request, { method: METHOD, reason, ...extra.attempt });
    return toApp(call, pathAfterFailure(reason, extra.fields), pending.returnPath);
  }
}

async function signIn(call: Call, identity: Identity, returnPath: string): Promise<Result> {
  const { request, services } = call;
  const { provider } = identity;
  const outcome = await findOrCreateAccount(services, request, identity);
  if ('conflict' in outcome) return askOwner(call, identity, outcome.conflict, returnPath);
  const { userId } = outcome;
  // Always cookies: a redirect has no body that could carry tokens.
  const asBrowser = { ...request, wantsBearer: false };
  const reply = await finishLogin(services, asBrowser, {
    userId,
    method: METHOD,
    provider,
    // The owner of the address may be proving it at this moment, which removes what was linked before.
    async confirm(tx) {
      const linked = await tx.accountLinking.find(provider, identity.id);
      if (linked?.userId !== userId) throw refuse('OAUTH_FAILED');
    },
  });
  const onward = toApp(call, pathAfterSignIn(reply, returnPath), returnPath);
  const cookies = [...(onward.cookies ?? []), ...(reply.cookies ?? [])];
  return { ...onward, cookies, opensSession: reply.opensSession };
}

/** The owner of the address decides: for an hour, this browser may have a link mailed to them. */
async function askOwner(
  call: Call,
  identity: Identity,
  owner: User,
  returnPath: string,
): Promise<Result> {
  const { request, services } = call;
  const { provider } = identity;
  const { id: userId, email } = owner;
  const { hash: browser } = browserOf(services.config, request);
  await services.transaction(async (tx) => {
    if (!(await tx.users.lock(userId))) throw refuse('OAUTH_FAILED');
    await openPending(tx, owner, { account: identity, browser });
    const cause = { actor: null, userId, request };
    tx.events.publish('identity.auth.oauth.conflict', { provider, email }, cause);
  });
  const reason = 'OAUTH_ACCOUNT_CONFLICT';
  logRefusedSignIn(services, request, { method: METHOD, reason, userId });
  const query = new URLSearchParams({ provider, code: reason, email });
  return toApp(call, `/account-conflict?${query}`, returnPath);
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Replaces a redirect to the app, where the pages are the service's own. */
    appRedirect?: (call: Call, path: string, returnPath: string) => Result | undefined;
  }
}

/** Redirects to a page of the app; `URL` escapes what a header cannot hold. */
function toApp(call: Call, path: string, returnPath: string): Result {
  const { config, features } = call.services;
  for (const { appRedirect } of features) {
    const instead = appRedirect?.(call, path, returnPath);
    if (instead) return instead;
  }
  return redirect(new URL(config.APP_URL + path).href);
}

/**
 * The code for the login page: the provider's own if it refused, else OAUTH_FAILED. Only the message
 * is logged: openid-client's causes carry tokens.
 */
function failureCodeOf(services: Services, provider: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  services.log.warn({ provider, reason: message }, 'sign-in at a provider failed');
  const code = error instanceof openid.AuthorizationResponseError ? error.error : '';
  return ERROR_CODE.test(code) ? code : refuse('OAUTH_FAILED').code;
}
