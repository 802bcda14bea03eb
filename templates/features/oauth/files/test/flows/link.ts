import {
  openPending,
  type ProviderAccount,
} from '../../src/features/account-linking/linked-accounts.js';
import { LINK_METHOD } from '../../src/features/account-linking/sign-in-method.js';
import { randomId } from '../../src/process/random.js';
import type { Client } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import type { TestService } from '../service.js';

/** The address of the account that a sign-in meets. */
export const EMAIL = 'ada@example.com';

/** An account at a provider. */
export function accountAt(provider: string, id: string): ProviderAccount {
  return { provider, id, email: `${id}@provider.example`, name: 'Ada', picture: null };
}

/** As if a sign-in at the provider `acme` had met the address. */
export async function meetConflict({ services }: TestService, id = '1'): Promise<void> {
  const owner = await services.users.findByEmail(EMAIL);
  if (!owner) throw new Error('Nobody has the address.');
  const account = accountAt('acme', id);
  await openPending(services, owner, { account, browser: `browser of ${id}` });
}

/** The token of the last link that was mailed to an address; empty if there is none. */
export async function linkTokenTo(service: TestService, email: string): Promise<string> {
  const mail = (await service.mails()).findLast(({ to }) => to === email);
  return mail?.text.match(/http:\/\/app\.test\/link-verify\?token=([0-9a-f]{64})/)?.[1] ?? '';
}

/** Provider and id of each link of the client's user. */
export async function linksOf(client: Client): Promise<string[][]> {
  const { body } = await client.get('/linked-accounts');
  return body.linkedAccounts.map(({ provider, providerAccountId }: Record<string, string>) => [
    provider,
    providerAccountId,
  ]);
}

export const link: MakeFlow[] = [
  () => ({
    route: 'POST /link-verify',
    method: LINK_METHOD,
    async start(service, person, client) {
      const email = `${randomId()}@example.com`;
      await person.client.post('/link-request', { email });
      const secret = await linkTokenTo(service, email);
      return {
        secret,
        send: (token = secret) => client.post('/link-verify', { token, loginAfterLinking: true }),
      };
    },
  }),
];
