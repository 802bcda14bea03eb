import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { type Person, type SignedIn, signInAs } from './sign-in-as.js';

/** The service as clients of its administration API see it. */
export function atAdmin(service: TestService): TestService {
  return {
    ...service,
    get url() {
      return service.url;
    },
    prefix: `${service.config.ADMIN_PREFIX}/api`,
  };
}

/** A user with the role `admin`, or another role with permissions. */
export function signInAtAdmin(service: TestService, person: Person = {}): Promise<SignedIn> {
  return signInAs(atAdmin(service), { role: 'admin', ...person });
}

/** A service and an administrator. */
export async function startWithAdmin(variables: TestEnvironment = {}, person: Person = {}) {
  const service = await startTestService(variables);
  return { service, ...(await signInAtAdmin(service, person)) };
}

/** A role with these permissions alone. */
export async function addRole({ services }: TestService, name: string, permissions: string[]) {
  await services.roles.create({ name, permissions });
}

/** The actions in the audit log, the newest first. */
export async function actionsOf({ idle, services }: TestService): Promise<string[]> {
  await idle();
  const { items } = await services.auditLog.search({ limit: 100, offset: 0 });
  return items.map(({ action }) => action);
}
