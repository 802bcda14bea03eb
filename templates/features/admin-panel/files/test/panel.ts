import type { TestService } from './service.js';
import { type Person, signInAs } from './sign-in-as.js';
import { visitor } from './visitor.js';

/** Somebody with that role, with the panel open in front of them. */
export async function openPanel(service: TestService, person: Person = {}) {
  const { user, accessToken, refreshToken } = await signInAs(service, { role: 'admin', ...person });
  const visit = visitor(service);
  visit.cookies.set('accessToken', accessToken);
  visit.cookies.set('refreshToken', refreshToken);
  return { user, visit };
}
