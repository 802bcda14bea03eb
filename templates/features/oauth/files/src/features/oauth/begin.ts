import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import type { Config } from '../../config.js';
import { redirect } from '../../http/redirect.js';
import type { Call, Reply } from '../../http/route.js';
import { knownBrowser } from '../account-linking/browser.js';
import { providerClient, requireProvider } from './client.js';
import { asFailure } from './failure.js';
import { leadBack } from './lead-on.js';
import { checkReturnPath } from './return-path.js';
import { openState } from './state.js';

/**
 * Sends a browser to a provider. Throws OAUTH_NOT_CONFIGURED, OAUTH_RETURN_PATH_INVALID; a provider
 * that cannot be reached leads back to the login page.
 */
export async function beginSignIn({ params, query, request, services }: Call): Promise<Reply> {
  const { config } = services;
  const { provider: name = '' } = params;
  const provider = requireProvider(config, name);
  const returnPath = checkReturnPath(query.get('return_path'));
  try {
    const client = await providerClient(config, name, provider);
    const journey = { verifier: randomPKCECodeVerifier(), nonce: randomNonce(), returnPath };
    const browser = knownBrowser(config, request);
    const url = buildAuthorizationUrl(client, {
      redirect_uri: redirectUriOf(config, name),
      scope: provider.scope,
      state: await openState(services, name, browser.hash, journey),
      code_challenge: await calculatePKCECodeChallenge(journey.verifier),
      code_challenge_method: 'S256',
      ...(provider.protocol === 'openid' ? { nonce: journey.nonce } : {}),
    });
    return { ...redirect(url.href), cookies: [browser.cookie] };
  } catch (error) {
    return leadBack(config, asFailure(services, name, error));
  }
}

/** Where the provider sends the browser back to: from BASE_URL, never from the Host header. */
export function redirectUriOf(config: Config, name: string): string {
  return `${config.BASE_URL}${config.AUTH_PREFIX}/oauth/${name}/callback`;
}
