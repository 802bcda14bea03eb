import { expect, test } from 'vitest';
import { browser } from './client.js';
import { begin, comeBack, startServiceWith } from './flows/oauth.js';
import { counterparts } from './oauth/counterparts.js';

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
