import { expect, it } from 'vitest';
import { meanwhile } from '../../../test/hold.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { createWebhook } from '../webhook-configs/save-webhook.js';

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
