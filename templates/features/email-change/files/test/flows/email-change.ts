import { randomId } from '../../src/process/random.js';
import type { Client } from '../client.js';
import type { MakeFlow } from '../security/flow.js';
import type { TestService } from '../service.js';

/** Requests to move the account to an address; returns the token that is mailed there. */
export async function tokenFor(service: TestService, client: Client, newEmail: string) {
  const { status } = await client.post('/change-email/request', { newEmail });
  if (status !== 200) throw new Error(`Not asked: ${status}.`);
  const mail = (await service.mails()).findLast(({ to }) => to === newEmail);
  return mail?.text.match(/http:\/\/app\.test\/change-email\?token=([0-9a-f]{64})/)?.[1] ?? '';
}

export const emailChange: MakeFlow[] = [
  () => ({
    route: 'POST /change-email/confirm',
    async start(service, person, client) {
      const secret = await tokenFor(service, person.client, `${randomId()}@example.com`);
      return { secret, send: (token = secret) => client.post('/change-email/confirm', { token }) };
    },
  }),
];
