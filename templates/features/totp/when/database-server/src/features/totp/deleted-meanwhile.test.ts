import { expect, it } from 'vitest';
import { isParallel } from '../../../test/database.js';
import { meanwhile } from '../../../test/hold.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

it.runIf(await isParallel())(
  'who is deleted while they set up an app is answered as at their next request',
  async () => {
    const service = await startTestService();
    const { user, client } = await signInAs(service);
    const { status, body } = await meanwhile(
      service,
      (db) => db.deleteFrom('users').where('id', '=', user.id).execute(),
      () => client.post('/2fa/setup'),
    );
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  },
);
