import { type HttpError, refuse } from '../../http/errors.js';
import { html } from '../../http/html.js';
import { refusalOf } from '../../http/response.js';
import type { Result } from '../../http/route.js';
import { reasonOf } from '../../process/log.js';
import { carry, type Draft, type Fields, keepDraft, resume, takeDraft } from './carried.js';
import { isFormOf, isGuarded, pageCookie, withCsrfToken } from './guard.js';
import { findForm, render, success } from './layout.js';
import type { Form, Page } from './page.js';
import { explainRefusal, NOT_PROVEN, withoutSecrets } from './refusal.js';
import { findRoute, runRoute } from './run-route.js';
import {
  DONE,
  destinationOf,
  isBelowPrefix,
  loginPath,
  pathWith,
  seeOther,
  type Visit,
} from './visit.js';

/** How long a page may take to load, and be loaded again, with the message after a form. */
const DONE_SECONDS = 60;

/** Runs the route of a submitted form, then redirects or shows what the form defines. */
export async function submitForm(page: Page, visit: Visit, body: Fields): Promise<Result> {
  const { guard = '', about = '', form: name = '', ...fields } = body;
  const sent: Draft = { form: name, guard, fields: withoutSecrets(fields) };
  const redirect = await redirectInstead(page, visit, sent);
  if (redirect) return redirect;
  const { services, request, caller } = visit;
  const form = findForm(page, services, name);
  if (!isGuarded(services, request, caller, guard) || about !== visit.about) {
    visit.refusal = resume(visit, sent);
    if (visit.refusal) return { ...(await render(page, visit)), status: 403 };
    const error = refuse('CSRF_INVALID');
    const route = form && findRoute(services, form.submits, page.api?.(services.config));
    if (route) services.guards.noteRefusedSignIn(services, request, route, error);
    throw error;
  }
  if (!form) throw refuse('NOT_FOUND');
  // The submitted form is no longer a draft.
  takeDraft(visit);
  try {
    return await act(page, form, visit, name, fields);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== error && refusal.code !== 'UNAVAILABLE') throw error;
    const about = { reason: reasonOf(error), requestId: request.id };
    if (refusal.code === 'UNAVAILABLE') services.log.warn(about, 'request failed');
    return refused(page, visit, sent, refusal, form);
  }
}

/** Redirects to the sign-in, to renew the session, or to the page itself; undefined if the page can handle the form. */
async function redirectInstead(page: Page, visit: Visit, sent: Draft) {
  const { services, request, caller } = visit;
  // Before the guard is checked, since it ended with the session: the draft is shown again after the sign-in.
  if (page.isPrivate && !caller) {
    keepDraft(visit, sent);
    // Outside AUTH_PREFIX the session may only need to be renewed: the form goes along to `continuePage`.
    return seeOther(visit, loginPath(visit), isBelowPrefix(visit) ? 303 : 307);
  }
  if (page.forwardsForms && caller) {
    const isOwn = isFormOf(services, caller.user.id, sent.guard);
    return isOwn ? seeOther(visit, destinationOf(visit), 307) : undefined;
  }
  const elsewhere = await page.elsewhere?.(visit);
  if (elsewhere !== undefined) return seeOther(visit, elsewhere);
  // The cookie with the token of the link has expired: the page says what to do.
  return page.takesTokenFrom && !visit.carried?.token ? seeOther(visit, request.path) : undefined;
}

async function act(page: Page, form: Form, visit: Visit, name: string, fields: Fields) {
  const { services } = visit;
  const { bearerToken, ...carried } = visit.carried ?? {};
  const values = { ...fields, ...carried };
  const asCaller = { ...withCsrfToken(visit), bearerToken };
  const prefix = page.api?.(services.config);
  const body = await form.input?.(values, visit);
  const result = await runRoute(services, asCaller, form.submits, values, prefix, body);
  // After the cookies of the visit: signing in replaces them.
  visit.cookies.push(...(result.cookies ?? []));
  if (isUsedUp(visit, form)) visit.cookies.push(carry(services.config, visit.request.path));
  const next = await form.next?.(visit, result, fields);
  // A download: the browser stays on the page.
  if (result.headers?.['content-disposition']) return { ...result, cookies: visit.cookies };
  if (typeof next === 'object') return render(page, visit, html`${success(form.done)}\n${next}`);
  if (!next || form.done || page.done) visit.cookies.push(pageCookie(DONE, name, DONE_SECONDS));
  return seeOther(visit, next ?? pathWith(`${visit.request.path}?${visit.query}`, { done: name }));
}

/** Redirects to where a feature resolves this refusal; else shows the page again, with what was typed. */
export async function refused(
  page: Page,
  visit: Visit,
  sent: Draft,
  error: HttpError,
  form?: Form,
) {
  const next = pathAfterRefusal(visit, error);
  const isProvable = error.code === NOT_PROVEN;
  if (next !== undefined && !isProvable) return seeOther(visit, next);
  visit.refusal = await explainRefusal(visit, sent, error, form?.beside);
  if (isProvable || visit.refusal.proofs.length > 0) {
    visit.refusal.signInAgain = next ?? loginPath(visit, { again: '1' });
    if (isProvable || Object.values(sent.fields).some(Boolean)) keepDraft(visit, sent);
  }
  const [status = 400] = visit.services.errors[error.code] ?? [];
  const isCorrectable = Object.keys(visit.refusal.errors).length > 0;
  if (isUsedUp(visit, form) && status === 400 && !isCorrectable) {
    // No field can be corrected: the link, or the sign-in, is no longer valid.
    visit.cookies.push(carry(visit.services.config, visit.request.path));
    visit.carried = undefined;
    const elsewhere = await page.elsewhere?.(visit);
    if (elsewhere !== undefined) return seeOther(visit, pathWith(elsewhere, { error: error.code }));
  }
  const result = await render(page, visit).catch((gone) => {
    if (!visit.carried?.token) throw gone;
    // The route has used up the link and then refused the sign-in: the page says why.
    visit.cookies.push(carry(visit.services.config, visit.request.path));
    visit.carried = undefined;
    return render(page, visit);
  });
  return { ...result, status, headers: { ...error.extra.headers, ...result.headers } };
}

/** True if the form, or the page without one, uses up what an earlier page, or a mailed link, left for it. */
function isUsedUp({ carried }: Visit, form: Form | undefined): boolean {
  return carried !== undefined && !form?.keepsCarried;
}

/** Where a visitor must go after a refusal: to a missing set-up, or to sign in again; undefined to stay. */
export function pathAfterRefusal(visit: Visit, error: HttpError): string | undefined {
  const [next] = visit.services.features.flatMap((each) => each.afterRefusal?.(visit, error) ?? []);
  return next ?? (error.code === NOT_PROVEN ? loginPath(visit, { again: '1' }) : undefined);
}
