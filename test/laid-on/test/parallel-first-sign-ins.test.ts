import { expect, test } from 'vitest';
import { ADDRESS } from '../src/features/account-linking/linked-accounts.js';
import { proveEmail } from '../src/session/credentials.js';
import { browser } from './client.js';
import { begin, comeBack, createAccount, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';
import { someRequest } from './sign-in-as.js';

test.each(counterparts)(
  'race: parallel first sign-ins at %s make one account, and all of them get in',
  async (_name, start) => {
    const { service, counterpart } = await startServiceWith(start);
    const clients = Array.from({ length: 5 }, () => browser(service));
    const journeys = await Promise.all(
      clients.map(async (client) => {
        const url = await counterpart.agree(await begin(client, counterpart));
        return { client, url };
      }),
    );

    await Promise.all(journeys.map(({ client, url }) => comeBack(service, client, url)));

    const profiles = await Promise.all(clients.map((client) => client.get('/me')));
    expect(profiles.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(profiles.map(({ body }) => body.sub)).size).toBe(1);
    expect(await service.services.users.list({ limit: 9, offset: 0 })).toHaveLength(1);
  },
);

test.each(counterparts)(
  'race: nothing that a sign-in at %s links by an added address outlives the first proof of the account',
  async (_name, start) => {
    const { service, counterpart } = await startServiceWith(start);
    const { accountLinking, transaction, users } = service.services;
    for (let round = 0; round < 20; round += 1) {
      const email = `planted${round}@example.com`;
      const { id } = await createAccount(service, `victim${round}@example.com`, false);
      const described = { email, name: null, picture: null };
      await accountLinking.add(id, { provider: ADDRESS, id: email, ...described });
      counterpart.person = { id: `${100 + round}`, email, isEmailVerified: true };
      const client = browser(service);
      const url = await counterpart.agree(await begin(client, counterpart));

      const proof = transaction(async (tx) => {
        const user = await tx.users.findById(id);
        if (user) await proveEmail(tx, someRequest(), user);
      });
      await Promise.all([comeBack(service, client, url), proof]);

      expect(await accountLinking.listOfUser(id)).toEqual([]);
      expect((await users.findById(id))?.emailProvenAt).not.toBeNull();
    }
  },
);
