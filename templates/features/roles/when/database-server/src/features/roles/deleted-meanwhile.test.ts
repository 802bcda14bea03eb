import { expect, it } from 'vitest';
import { meanwhile } from '../../../test/hold.js';
import { startSignedIn } from '../../../test/sign-in-as.js';
import { userRoleStore } from '../../users/account.js';
import { deleteRole } from './feature.js';
import { rolesStore } from './store.js';

it('who is given a role while it is deleted is told that it was taken', async () => {
  const { service, user } = await startSignedIn();
  await service.services.roles.create({ name: 'editor', permissions: [] });
  await meanwhile(
    service,
    (db) => userRoleStore(db).assign(user.id, 'editor'),
    () => deleteRole(service.services, 'editor', {}),
  );
  const revoked = (await service.events()).filter(({ event }) => event.endsWith('role.revoked'));
  expect(revoked.map(({ metadata }) => metadata.userId)).toEqual([user.id]);
});

it('who loses a role to somebody else while it is deleted is not told twice', async () => {
  const { service, user } = await startSignedIn();
  await service.services.roles.create({ name: 'editor', permissions: [] });
  await service.services.userRoles.assign(user.id, 'editor');
  await meanwhile(
    service,
    (db) => rolesStore(db).revoke(user.id, 'editor'),
    () => deleteRole(service.services, 'editor', {}),
  );
  expect((await service.events()).filter(({ event }) => event.endsWith('role.revoked'))).toEqual(
    [],
  );
  expect(await service.services.roles.find('editor')).toBeUndefined();
});
