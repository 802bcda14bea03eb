import { openChallenge } from '../src/features/second-factor/challenge.js';
import { HttpError } from '../src/http/errors.js';
import { finishLogin } from '../src/session/finish-login.js';
import { nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs, someRequest } from './sign-in-as.js';

const confirm = async () => {};

/**
 * Signs a user in by a first factor, whichever it is, and returns the answer that a bearer client
 * would get: tokens, or the challenge. Throws what a route would answer with.
 */
export async function passFirstFactor(service: TestService, userId: string, method = 'local') {
  const request = { ...someRequest(), wantsBearer: true };
  const reply = await finishLogin(service.services, request, { userId, method, confirm });
  return reply.body as Record<string, unknown> & { tempToken?: string };
}

/** The challenge of a user who has passed the first factor and needs the second. */
export function challengeOf({ services }: TestService, { user }: SignedIn): Promise<string> {
  return openChallenge(services, { userId: user.id, method: 'local', confirm });
}

/** A user who needs a second factor and has none, and a client with the token that they get. */
export async function sentToSetUp() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com', isEmailProven: false });
  await service.services.settings.set('require2FA', true);
  const error = await passFirstFactor(service, ada.user.id).catch((reason: unknown) => reason);
  if (!(error instanceof HttpError)) throw new Error('It was not refused.');
  const client = nativeClient(service, String(error.extra.fields?.tempToken));
  return { service, ada, error, client };
}
