import { expect, it } from 'vitest';
import { deleteRole, rolesStore } from '../src/features/roles/feature.js';
import { userRoleStore } from '../src/users/account.js';
import { meanwhile } from './hold.js';
import { startSignedIn } from './sign-in-as.js';

it('a role that is assigned while it is deleted is revoked with an event', async () => {
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

it('a role that is revoked while it is deleted causes no second event', async () => {
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
