import { z } from 'zod';
import { HttpError, refuse } from '../../http/errors.js';
import type { Html } from '../../http/html.js';
import type { Call, Result } from '../../http/route.js';
import { carry, forget } from './carried.js';
import { type Draft, draftCookie, dropDraft, takeDraft } from './draft.js';
import { isGuarded, withCsrfToken } from './guard.js';
import { layout } from './layout.js';
import type { Form, Page } from './page.js';
import { loginPath } from './paths.js';
import { explainRefusal, NOT_PROVEN } from './refusal.js';
import { runRoute } from './run-route.js';
import { openVisit, type Visit } from './visit.js';

/** What browsers send of a form. */
export const Fields = z.record(z.string(), z.string());
type Fields = z.output<typeof Fields>;

/** Answers a GET of the page, or leads to where it can be seen. */
export async function show(page: Page, isSignedIn: boolean, call: Call): Promise<Result> {
  const token = call.query.get('token');
  const visit = await openVisit(call.services, call);
  if (page.takesToken && token !== null) {
    // Nothing is used up: scanners of mail open links too.
    visit.cookies.push(carry(visit.services, page.path, { token }));
    return seeOther(visit, call.request.path);
  }
  if (isSignedIn && !visit.caller) return seeOther(visit, loginPath(visit));
  const elsewhere = await page.elsewhere?.(visit);
  if (elsewhere !== undefined) return seeOther(visit, elsewhere);
  try {
    return await render(page, takeDraft(visit));
  } catch (error) {
    const next = error instanceof HttpError ? wayOn(visit, error) : undefined;
    if (next === undefined) throw error;
    return seeOther(visit, next);
  }
}

/** Runs the route of a form that was sent, and goes on as it says. */
export async function submitForm(
  page: Page,
  isSignedIn: boolean,
  call: Call<Fields>,
): Promise<Result> {
  const visit = await openVisit(call.services, call);
  const { guard = '', form: name = '', ...fields } = call.body;
  const sent: Draft = { form: name, guard, fields };
  const { services, request, caller } = visit;
  // Before the guard, which has ended with its session: what was typed is there again after the sign-in.
  if (isSignedIn && !caller) {
    visit.cookies.push(...draftCookie(visit, sent));
    return seeOther(visit, loginPath(visit));
  }
  const elsewhere = caller ? undefined : await page.elsewhere?.(visit);
  if (elsewhere !== undefined) return seeOther(visit, elsewhere);
  if (!isGuarded(services, request, caller, guard)) throw refuse('CSRF_INVALID');
  const forms = typeof page.forms === 'function' ? page.forms(services) : page.forms;
  const form = forms?.[name];
  if (!form) throw refuse('NOT_FOUND');
  visit.cookies.push(...dropDraft(visit));
  try {
    return await act(page, form, visit, sent);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return refused(page, form, visit, sent, error);
  }
}

async function act(
  page: Page,
  form: Form,
  visit: Visit,
  { form: name, fields }: Draft,
): Promise<Result> {
  const { services, caller } = visit;
  const carried = form.usesCarried ? visit.carried : {};
  const input = { ...fields, ...carried, ...form.input?.(visit, fields) };
  const guarded = withCsrfToken(services, visit.request, caller);
  const asCaller = { ...guarded, bearerToken: form.bearer?.(visit) };
  const prefix = page.api?.(services.config);
  const body = form.body?.(fields);
  const result = await runRoute(services, asCaller, form.submits, input, prefix, body);
  // After those of the visit: signing in replaces them.
  visit.cookies.push(...(result.cookies ?? []));
  if (form.usesCarried) visit.cookies.push(forget(services, page.path));
  const next = await form.next?.(visit, result, fields);
  if (form.isDownload) return { ...result, cookies: visit.cookies };
  if (typeof next === 'object') return frame(page, visit, next);
  return seeOther(visit, next ?? donePath(visit, name));
}

/** Where the features of a sign-in want to go on after a refusal; else the page again, with what was typed. */
async function refused(
  page: Page,
  form: Form,
  visit: Visit,
  sent: Draft,
  error: HttpError,
): Promise<Result> {
  const next = wayOn(visit, error);
  const isProvable = error.code === NOT_PROVEN;
  if (next !== undefined && !isProvable) return seeOther(visit, next);
  visit.refusal = await explainRefusal(visit, sent, error, form.beside);
  if (isProvable) {
    visit.refusal.signInAgain = next;
    visit.cookies.push(...draftCookie(visit, sent));
  }
  const [status = 400] = visit.services.errors[error.code] ?? [];
  const result = await render(page, visit);
  return { ...result, status, headers: { ...error.extra.headers, ...result.headers } };
}

/** Where a visitor goes on whom a rule asks for more: to a set-up that is missing, or to sign in once more. */
function wayOn(visit: Visit, error: HttpError): string | undefined {
  for (const { afterRefusal } of visit.services.features) {
    const next = afterRefusal?.(visit, error);
    if (next !== undefined) return next;
  }
  return error.code === NOT_PROVEN ? loginPath(visit, { again: '1' }) : undefined;
}

async function render(page: Page, visit: Visit): Promise<Result> {
  return frame(page, visit, await page.content(visit));
}

async function frame(page: Page, visit: Visit, main: Html): Promise<Result> {
  const { isWide, assets } = page;
  const title = await page.title(visit);
  const navigation = await page.navigation?.(visit);
  const shown = layout(visit, { title, main, isWide, assets, navigation });
  return { ...shown, cookies: visit.cookies };
}

/** The same page, which says that its form is done. */
function donePath({ request, query }: Visit, form: string): string {
  const search = new URLSearchParams(query);
  search.set('done', form);
  return `${request.path}?${search}`;
}

/** 303: the browser goes on by GET, so that loading the page again sends no form again (RFC 9110 §15.4.4). */
function seeOther({ cookies }: Visit, location: string): Result {
  return { status: 303, headers: { location }, cookies };
}
