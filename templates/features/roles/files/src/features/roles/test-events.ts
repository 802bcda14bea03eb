import type { EventCase, EventCases } from '../../../test/event-cases.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { deleteRole, giveRole, takeRole } from './give-role.js';

const ROLE = 'editor';

/** Somebody with a role of their own, and what the command does next. */
function withRole(act: (service: TestService, userId: string) => Promise<unknown>): EventCase {
  return async () => {
    const service = await startTestService();
    const { user } = await signInAs(service);
    await service.services.roles.create({ name: ROLE, permissions: ['posts:write'] });
    await giveRole(service.services, user.id, ROLE, {});
    await act(service, user.id);
    return service;
  };
}

export const rolesTestEvents: EventCases = {
  'identity.role.assigned': { 'npm run roles -- give': withRole(async () => {}) },
  'identity.role.revoked': {
    'npm run roles -- take': withRole(({ services }, id) => takeRole(services, id, ROLE, {})),
    'npm run roles -- delete': withRole(({ services }) => deleteRole(services, ROLE, {})),
  },
};
