import { browser } from '../../../test/client.js';
import type { Factors, FirstFactor } from '../../../test/factor.js';
import type { StartCounterpart } from '../../../test/oauth/counterpart.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { signInAt } from '../../../test/oauth/sign-in-at.js';

/** The challenge comes in the fragment of the page that the browser is sent to. */
function firstFactor(start: StartCounterpart): () => Promise<FirstFactor> {
  return async () => {
    const counterpart = await start();
    return {
      method: counterpart.name,
      variables: counterpart.variables,
      async enrol(service, { user }) {
        const { email } = user;
        counterpart.person = { ...counterpart.person, email, isEmailVerified: true };
        await service.services.users.markEmailVerified(user.id);
      },
      async begin(service) {
        const client = browser(service);
        const { page } = await signInAt(service, counterpart, client);
        const fragment = new URLSearchParams(page.hash.slice(1));
        const tempToken = fragment.get('tempToken');
        if (page.pathname !== '/2fa' || tempToken === null || client.cookies.has('accessToken')) {
          throw new Error(`No challenge: ${page.pathname}`);
        }
        return { tempToken, available2faMethods: fragment.get('methods')?.split(',') ?? [] };
      },
    };
  };
}

export const oauthTestFactors: Factors = {
  first: Object.fromEntries(
    counterparts.map(([name, start]) => [
      `${name.replace(/^start/, '')}, a provider`,
      firstFactor(start),
    ]),
  ),
};
