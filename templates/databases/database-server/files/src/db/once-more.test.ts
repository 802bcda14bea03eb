import { expect, it } from 'vitest';
import { isParallel } from '../../test/database.js';
import { meanwhile } from '../../test/hold.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { inTransaction } from '../services.js';

it.runIf(await isParallel())(
  'work that refers to a row which is deleted meanwhile is done again, and finds it gone',
  async () => {
    const service = await startTestService();
    const { user } = await signInAs(service);
    const editor = { name: 'editor', permissions: '[]' };
    await service.services.db.insertInto('roles').values(editor).execute();
    const isAssigned = await meanwhile(
      service,
      (db) => db.deleteFrom('roles').where('name', '=', 'editor').execute(),
      () => inTransaction(service.services, ({ userRoles }) => userRoles.assign(user.id, 'editor')),
    );
    expect(isAssigned).toBe(false);
  },
);
