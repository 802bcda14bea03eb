import type { TestService } from './service.js';
import { type Person, signInAs } from './sign-in-as.js';
import { visitor } from './visitor.js';

/** Signs in a user with the role, in a browser that has the panel open. */
export async function openPanel(service: TestService, person: Person = {}) {
  const { user, accessToken, refreshToken } = await signInAs(service, { role: 'admin', ...person });
  const visit = visitor(service);
  visit.cookies.set('accessToken', accessToken);
  visit.cookies.set('refreshToken', refreshToken);
  return { user, visit };
}
