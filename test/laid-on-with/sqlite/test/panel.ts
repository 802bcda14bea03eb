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

/** The hidden field that guards the forms of a page; empty if there is none. */
export function guardOf(html: string): string {
  return /name="guard" value="([^"]*)"/.exec(html)?.[1] ?? '';
}

/** Where the main button of a page leads. */
export function onwardOf(html: string): string | undefined {
  return /class="button primary" href="([^"]*)"/.exec(html)?.[1];
}
