import { expect, test } from 'vitest';
import { startTestService } from '../../test/service.js';
import { signInAs, someRequest } from '../../test/sign-in-as.js';
import { startSession } from './start-session.js';

test('race: an account that is deleted while it signs in gets no session', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.users.delete(user.id);
  const late = startSession(service.services, someRequest(), user.id, 'local');
  await expect(late).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});
