import type { Locator, Page, Response } from 'playwright-core';
import type { Site } from './site.js';

/** A user with an open page. */
export interface Person {
  page: Page;
  email: string;
  password: string;
}

const PASSWORD = 'correct horse battery staple';

let people = 0;

/** A different address in each test. */
export function newPerson(page: Page, name = 'ada'): Person {
  people += 1;
  return { page, email: `${name}${people}@example.com`, password: PASSWORD };
}

/** A user who has registered, has opened the mailed link in the same browser, and is signed in. */
export async function signedUp(site: Site, page: Page): Promise<Person> {
  const person = newPerson(page);
  await register(person);
  await page.goto(await site.linkTo(person.email, '/verify-email'));
  await signIn(person);
  return person;
}

export async function register({ page, email, password }: Person): Promise<void> {
  await page.goto('/auth/ui/register');
  await send(page, 'register', { email, password });
}

export async function signIn({ page, email, password }: Omit<Person, 'id'>): Promise<void> {
  await page.goto('/auth/ui/login');
  await send(page, 'password', { email, password });
}

export async function signOut(page: Page): Promise<void> {
  await send(page, 'sign-out');
}

/**
 * Fills in the form of this name and submits it with its button, confirming first if asked.
 * @returns the answer that the browser ended at
 */
export async function send(
  page: Page,
  form: string,
  fields: Record<string, string> = {},
): Promise<Response | null> {
  const button = page.locator(`button[name=form][value="${form}"]`).first();
  await button.waitFor({ state: 'attached' });
  if (!(await button.isVisible())) await openQuestion(page, button);
  const around = page.locator('form', { has: button }).first();
  for (const [name, value] of Object.entries(fields)) {
    const field = around.locator(`[name="${name}"]`);
    if (value === 'on') await field.check();
    else if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
      await field.selectOption(value);
    else await field.fill(value);
  }
  const [answer] = await Promise.all([page.waitForNavigation(), button.click()]);
  return answer;
}

/** Actions that cannot be undone must be confirmed first: in a dialog, or in a section that opens. */
async function openQuestion(page: Page, button: Locator): Promise<void> {
  const question = page.locator('details, dialog[popover]', { has: button }).last();
  const id = await question.getAttribute('id');
  // The dialog's close button names it too.
  const opener = page.locator(`[popovertarget="${id}"]:not([popovertargetaction])`);
  await (id ? opener : question.locator('summary')).click();
}

/** Calls the administration API as the signed-in administrator, and returns the body of its answer. */
export async function administer(page: Page, path: string, data: object) {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'csrf-token')?.value ?? '';
  const headers = { 'X-CSRF-Token': token };
  const answer = await page.request.post(`/admin/api${path}`, { data, headers });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** Where the page is: path and query. */
export function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Path alone. */
export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}
