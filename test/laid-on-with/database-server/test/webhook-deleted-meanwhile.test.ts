import { expect, it } from 'vitest';
import { createWebhook } from '../src/features/webhook-configs/feature.js';
import { meanwhile } from './hold.js';
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
