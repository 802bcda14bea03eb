import { METHOD } from '../../src/features/password/login.js';
import { hashPassword } from '../../src/features/password/password.js';
import { randomId } from '../../src/process/random.js';
import { type Answer, type Client, nativeClient } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import type { TestService } from '../service.js';
import { createUser } from '../sign-in-as.js';

/** An account and the password that opens it. */
export interface PasswordAccount {
  id: string;
  email: string;
  password: string;
}

/** Makes an account with a password, without a form: a service may have none that does. */
export async function createPasswordAccount(
  service: TestService,
  given: { email?: string; password?: string; isEmailProven?: boolean } = {},
): Promise<PasswordAccount> {
  const { email = `${randomId()}@example.com`, password = 'correct horse battery staple' } = given;
  const { isEmailProven = true } = given;
  const hash = await hashPassword(password, service.config.BCRYPT_COST);
  const { id } = await createUser(service, email, { isEmailProven });
  await service.services.password.save(id, hash);
  return { id, email, password };
}

/** Signs in by the form, as a native client; its requests carry the access token. */
export async function signInWithPassword(
  service: TestService,
  { email, password }: { email: string; password: string },
): Promise<Client> {
  const { status, body } = await nativeClient(service).post('/login', { email, password });
  if (status !== 200) throw new Error(`Not signed in: ${status} ${body.code}`);
  return nativeClient(service, body.accessToken);
}

export async function opensWith(
  service: TestService,
  { email }: { email: string },
  password: string,
): Promise<boolean> {
  const { status } = await nativeClient(service).post('/login', { email, password });
  return status === 200;
}

/** Disables an account, as an administrator would. */
export async function disableAccount(service: TestService, userId: string): Promise<void> {
  const { db } = service.services;
  await db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', userId).execute();
}

/** Asks for a reset link and takes its token out of the mail. */
export async function requestResetToken(service: TestService, email: string): Promise<string> {
  await nativeClient(service).post('/forgot-password', { email });
  const mails = (await service.mails()).filter(({ to }) => to === email);
  const link = /reset-password\?token=([0-9a-f]{64})/;
  const token = mails.map(({ text }) => link.exec(text)?.[1]).findLast(Boolean);
  if (!token) throw new Error(`No reset link was mailed to ${email}.`);
  return token;
}

export function resetPassword(
  service: TestService,
  token: unknown,
  newPassword = 'a password that is new',
): Promise<Answer> {
  return nativeClient(service).post('/reset-password', { token, newPassword });
}

const PASSWORD = 'correct horse battery staple';

export const password: MakeFlow[] = [
  () => ({
    route: 'POST /login',
    method: METHOD,
    isRepeatable: true,
    enrol: (_service, { client }) =>
      client.post('/change-password', { currentPassword: '', newPassword: PASSWORD }),
    start: async (_service, { user: { email } }, client) => ({
      secret: PASSWORD,
      send: (password = PASSWORD) => client.post('/login', { email, password }),
    }),
  }),

  () => ({
    route: 'POST /reset-password',
    provesAddress: true,
    async start(service, { user }, client) {
      const secret = await requestResetToken(service, user.email);
      const newPassword = `another ${PASSWORD}`;
      return {
        secret,
        send: (token = secret) => client.post('/reset-password', { token, newPassword }),
      };
    },
  }),
];
