import { expect, it } from 'vitest';
import { createWebhook } from '../src/features/webhook-configs/feature.js';
import { stopWorkers } from '../src/services.js';
import { startWithAdmin } from './administrator.js';
import { meanwhile } from './hold.js';
import { addEndpoint, publish } from './receiver.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

it('a sign-in succeeds while a webhook that receives it is deleted', async () => {
  const service = await startTestService();
  await createWebhook(service.services, { url: 'http://127.0.0.1:1/', events: ['*'] });
  const { user } = await meanwhile(
    service,
    (db) => db.deleteFrom('webhook_configs').execute(),
    () => signInAs(service),
  );
  expect(await service.services.sessions.listOfUser(user.id)).toHaveLength(1);
});

it('a sign-in does not wait while the many deliveries of a webhook are deleted', async () => {
  const { service, client } = await startWithAdmin();
  const { services } = service;
  await stopWorkers(services);
  const { id } = await addEndpoint(service, { url: 'http://127.0.0.1:1/' });
  for (let count = 0; count < 3; count += 1) publish(service);
  await service.events();
  const { status } = await meanwhile(
    service,
    // Stands for a deletion that takes long.
    (db) => db.selectFrom('webhook_deliveries').select('id').forUpdate().execute(),
    () => client.delete(`/webhooks/${id}`),
    () => signInAs(service),
  );
  expect(status).toBe(200);
  expect(await services.webhookConfigs.find(id)).toBeUndefined();
});
