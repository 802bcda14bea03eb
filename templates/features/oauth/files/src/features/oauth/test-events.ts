import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { counterparts } from '../../../test/oauth/counterparts.js';
import { createAccount, signInAt, startServiceWith } from '../../../test/oauth/sign-in-at.js';

/** The first provider of this service, and the service. */
async function start() {
  const [first] = counterparts;
  if (!first) throw new Error('There is no provider.');
  return startServiceWith(first[1]);
}

const signIn: EventCase = async () => {
  const { service, counterpart } = await start();
  await signInAt(service, counterpart);
  return service;
};

const CALLBACK = 'GET /oauth/{provider}/callback';

export const oauthTestEvents: EventCases = {
  'identity.session.created': { [CALLBACK]: signIn },
  'identity.auth.login.success': { [CALLBACK]: signIn },
  'identity.user.created': { [CALLBACK]: signIn },
  'identity.auth.oauth.success': { [CALLBACK]: signIn },
  'identity.auth.oauth.conflict': {
    [CALLBACK]: async () => {
      const { service, counterpart } = await start();
      const email = 'unproven@example.com';
      await createAccount(service, email, false);
      counterpart.person = { ...counterpart.person, email, isEmailVerified: true };
      await signInAt(service, counterpart);
      return service;
    },
  },
};
