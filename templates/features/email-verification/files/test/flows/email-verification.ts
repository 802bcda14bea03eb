import { HttpError } from '../../src/http/errors.js';
import { finishLogin } from '../../src/session/finish-login.js';
import { browser } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import { startTestService, type TestService } from '../service.js';
import { createUser, signInAs, someRequest } from '../sign-in-as.js';

/** The headers of a browser that opens a link. */
export const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};

export async function mailedToken(service: TestService): Promise<string> {
  const mail = (await service.mails()).at(-1);
  return /token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** Returns a signed-in user and the token that was mailed to them. */
export async function withToken() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com', isEmailProven: false });
  await ada.client.post('/send-verification-email');
  return { service, ada, token: await mailedToken(service) };
}

export const verify = (service: TestService, token: string, headers = {}) =>
  browser(service).get(`/verify-email?token=${token}`, headers);

export async function openAccount(service: TestService): Promise<string> {
  const { id, email } = await createUser(service, 'ada@example.com', { isEmailProven: false });
  const created = { email, loginProvider: 'local' };
  service.services.events.publish('identity.user.created', created, { userId: id });
  return id;
}

/** Returns `issued`, or the error code of the refused sign-in. */
export async function signIn({ services }: TestService, userId: string): Promise<string> {
  try {
    await finishLogin(services, someRequest(), {
      userId,
      method: 'local',
      confirm: async () => {},
    });
    return 'issued';
  } catch (error) {
    if (error instanceof HttpError) return error.code;
    throw error;
  }
}

export const emailVerification: MakeFlow[] = [
  () => ({
    route: 'GET /verify-email',
    /** A link is mailed only while the address is unproven. */
    enrol: ({ services }, { user }) =>
      services.db
        .updateTable('users')
        .set({ email_verified_at: null, email_proven_at: null })
        .where('id', '=', user.id)
        .execute(),
    async start(service, person, client) {
      await person.client.post('/send-verification-email');
      const mail = (await service.mails()).findLast(({ to }) => to === person.user.email);
      const [, secret = ''] = /verify-email\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
      return { secret, send: (token = secret) => client.get(`/verify-email?token=${token}`) };
    },
  }),
];
