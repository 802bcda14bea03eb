import { METHOD } from '../../src/features/oauth/sign-in.js';
import { type Answer, browser, type Client } from '../client.js';
import type { Counterpart, StartCounterpart } from '../oauth/authorization-server.js';
import { counterparts } from '../oauth/counterparts.js';
import type { MakeFlow } from '../security/flow.js';
import { startTestService, type TestEnvironment, type TestService } from '../service.js';
import { createUser } from '../sign-in-as.js';

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

/** One provider of each protocol. */
export const oauth: MakeFlow[] = counterparts.map(([, start]) => async () => {
  const counterpart = await start();
  let id = 1000;
  return {
    route: 'GET /oauth/{provider}/callback',
    method: METHOD,
    isBoundLate: true,
    variables: counterpart.variables,
    async start(service, { user: { email } }, client) {
      id += 1;
      counterpart.person = { id: String(id), email, isEmailVerified: true };
      const url = await counterpart.agree(await begin(client, counterpart));
      const secret = url.searchParams.get('state') ?? '';
      return {
        secret,
        async send(state = secret) {
          url.searchParams.set('state', state);
          return comeBack(service, client, url);
        },
      };
    },
  };
});
