import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Config } from '../src/config.js';
import { requestReader, type ServiceRequest } from '../src/http/request.js';
import { now } from '../src/process/clock.js';
import { randomId } from '../src/process/random.js';
import { startSession } from '../src/session/finish-login.js';
import { issueTokens } from '../src/session/tokens.js';
import type { User } from '../src/users/user.js';
import { browser, type Client, nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';

export interface SignedIn extends ReturnType<typeof issueTokens> {
  user: User;
  sessionId: string;
  /** Sends this user's access token with every request. */
  client: Client;
}

export interface Person {
  email?: string;
  /** `admin`, `user`, or a role of your own. */
  role?: string;
  metadata?: Record<string, unknown>;
  /** False: the address is unproven, so anybody may have created the account. */
  isEmailProven?: boolean;
}

/** Makes an account with a session, without a sign-in form: for tests of what comes after. */
export async function signInAs(service: TestService, person: Person = {}): Promise<SignedIn> {
  const { services } = service;
  const email = person.email ?? `${randomId()}@example.com`;
  const existing = await services.users.findByEmail(email);
  const user = existing ?? (await createUser(service, email, person));
  const session = await startSession(services, someRequest(), { userId: user.id, method: 'local' });
  const account = await services.users.findAccount(user.id);
  if (!account) throw new Error('The account is gone.');
  const tokens = issueTokens(services, session, account, now());
  const client = nativeClient(service, tokens.accessToken);
  return { ...tokens, user, sessionId: session.id, client };
}

/** Starts a service for one test, with a signed-in user. */
export async function startSignedIn(
  person?: Person,
  ...options: Parameters<typeof startTestService>
) {
  const service = await startTestService(...options);
  return { service, ...(await signInAs(service, person)) };
}

/** As `signInAs`, in a browser: its tokens are cookies, and its refresh token has been used once. */
export async function signInBrowserAs(service: TestService, person: Person = {}) {
  const { user, sessionId, refreshToken } = await signInAs(service, person);
  const client = browser(service);
  const { status } = await client.post('/refresh', { refreshToken });
  if (status !== 200) throw new Error(`The browser was not signed in: ${status}.`);
  return { user, sessionId, client };
}

/** Opens a session for a user from a browser with this User-Agent. */
export async function signInFrom({ services }: TestService, userId: string, userAgent: string) {
  const request = { ...someRequest(), ip: '203.0.113.7', userAgent };
  await startSession(services, request, { userId, method: 'local' });
}

/** An unremarkable request, for functions that record where a user came from. */
export function someRequest(): ServiceRequest {
  const read = requestReader({ TRUST_PROXY: 0 } as Config);
  const request = read(new IncomingMessage(new Socket()));
  return { ...request, method: 'POST', ip: '127.0.0.1', userAgent: 'test' };
}

/** Makes an account without a session. */
export async function createUser(service: TestService, email: string, person: Person = {}) {
  const { users, userRoles } = service.services;
  const user = await users.create({
    email,
    loginProvider: 'local',
    metadata: person.metadata ?? {},
    isEmailProven: person.isEmailProven ?? true,
  });
  if (!user) throw new Error(`There is already an account with ${email}.`);
  await userRoles.assign(user.id, person.role ?? 'user');
  return user;
}
