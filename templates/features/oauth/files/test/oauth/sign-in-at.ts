import { type Answer, browser, type Client } from '../client.js';
import { startTestService, type TestEnvironment, type TestService } from '../service.js';
import { createUser } from '../sign-in-as.js';
import type { Counterpart, StartCounterpart } from './authorization-server.js';

/** Starts a provider and a service that knows it. */
export async function startServiceWith<Started extends Counterpart>(
  start: () => Promise<Started>,
  variables: TestEnvironment = {},
) {
  const counterpart = await start();
  const service = await startTestService({ ...counterpart.variables, ...variables });
  return { service, counterpart };
}

/** Begins a sign-in; returns where the browser is sent. */
export async function begin(client: Client, counterpart: Counterpart, query = ''): Promise<string> {
  const { headers } = await client.get(`/oauth/${counterpart.name}${query}`);
  return headers.get('location') ?? '';
}

/** Goes to where a provider sends the browser back to. */
export function comeBack(service: TestService, client: Client, url: URL): Promise<Answer> {
  return client.get(url.pathname.slice(service.prefix.length) + url.search);
}

/** A browser whose person has just agreed at the provider, and the `url` that it is sent back to. */
export async function startAtCallback(start: StartCounterpart, variables: TestEnvironment = {}) {
  const { service, counterpart } = await startServiceWith(start, variables);
  const client = browser(service);
  const url = await counterpart.agree(await begin(client, counterpart));
  return { service, counterpart, client, url };
}

/** A whole sign-in of the counterpart's person, by default in a new browser. */
export async function signInAt(
  service: TestService,
  counterpart: Counterpart,
  client: Client = browser(service),
): Promise<{ client: Client; answer: Answer; page: URL }> {
  const location = await begin(client, counterpart);
  const answer = await comeBack(service, client, await counterpart.agree(location));
  return { client, answer, page: new URL(answer.headers.get('location') ?? 'about:blank') };
}

/** Makes an account as some other feature would have. */
export const createAccount = (service: TestService, email: string, isEmailProven: boolean) =>
  createUser(service, email, { isEmailProven });
