import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { open } from '../src/features/data-key/sealed-columns.js';
import { changeWebhook, formerSecretColumn } from '../src/features/webhook-configs/feature.js';
import { webhooksStore } from '../src/features/webhooks/store.js';
import { closedGate } from './gate.js';
import { meanwhile } from './hold.js';
import { addEndpoint } from './receiver.js';
import { startTestService } from './service.js';

it('a new secret that is sent twice at once leaves the old one signing', async () => {
  const service = await startTestService();
  const { services } = service;
  const config = await addEndpoint(service, { url: 'http://127.0.0.1:1/', secret: 'the old one' });
  const gate = closedGate();
  const change = (tx: typeof services) => changeWebhook(tx, config, { secret: 'the new one' });
  const first = services.transaction(async (tx) => {
    await change(tx);
    await gate.opened;
  });
  await sleep(400);
  const second = services.transaction(change);
  await sleep(400);
  gate.open();
  await Promise.all([first, second]);
  const { former_secret: former } = await services.db
    .selectFrom('webhook_configs')
    .select('former_secret')
    .executeTakeFirstOrThrow();
  expect(await open(services, formerSecretColumn, config.id, former ?? '')).toBe('the old one');
});

it('failures of an endpoint that two instances record at once are all counted', async () => {
  const service = await startTestService();
  const { services } = service;
  const { id } = await addEndpoint(service, { url: 'http://127.0.0.1:1/' });
  await meanwhile(
    service,
    (db) => webhooksStore(db).addFailures(id, 1, false),
    () => services.transaction((tx) => tx.webhooks.addFailures(id, 1, false)),
  );
  const counted = services.db.selectFrom('webhook_configs').select('failures');
  expect(await counted.executeTakeFirstOrThrow()).toEqual({ failures: 2 });
});
