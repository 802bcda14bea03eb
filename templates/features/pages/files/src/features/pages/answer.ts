import { HttpError } from '../../http/errors.js';
import { isReturnPath } from '../../http/return-path.js';
import { type Call, get, post, type Result, type Route } from '../../http/route.js';
import { carry, Fields, takeDraft } from './carried.js';
import { render } from './layout.js';
import type { Page, Pages } from './page.js';
import { QUERY } from './refusal.js';
import { pathAfterRefusal, refused, submitForm } from './submit.js';
import { loginPath, openVisit, pathWith, seeOther, type Visit } from './visit.js';

/** The routes of pages: each is shown, and takes its forms. */
export function routesOf(pages: Pages): Route[] {
  return Object.entries(pages).flatMap(([path, page]) => {
    const kind = { isPage: true, isMounted: page.isMounted };
    const shown = get(path, {
      ...kind,
      summary: 'Page',
      handle: (call) => visiting(call, (visit) => show(page, visit)),
    });
    const form = { ...kind, summary: 'Form', form: true, body: Fields };
    const submitted = post(path, {
      ...form,
      handle: (call) => visiting(call, (visit) => submitForm(page, visit, call.body)),
    });
    return page.forms ? [shown, submitted] : [shown];
  });
}

/** A refusal sets the cookies of the visit too: a browser that repeats a renewed refresh token loses its session. */
async function visiting(call: Call, work: (visit: Visit) => Promise<Result>): Promise<Result> {
  const visit = await openVisit(call);
  return work(visit).catch((error) => {
    if (error instanceof HttpError) error.extra.cookies = visit.cookies;
    throw error;
  });
}

/** Answers a GET of the page, or redirects to where the visitor must go first. */
async function show(page: Page, visit: Visit): Promise<Result> {
  const token = visit.query.get('token');
  if (page.takesTokenFrom && token) return keepToken(visit, token);
  const isStranger = page.isPrivate && !visit.caller;
  const elsewhere = isStranger ? loginPath(visit) : await page.elsewhere?.(visit);
  if (elsewhere !== undefined) return seeOther(visit, elsewhere);
  try {
    visit.refusal = takeDraft(visit);
    return await render(page, visit);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const next = pathAfterRefusal(visit, error);
    if (next !== undefined) return seeOther(visit, next);
    if (error.code !== 'VALIDATION_FAILED' && !page.takesTokenFrom) throw error;
    return refused(page, visit, { form: QUERY, guard: '', fields: {} }, error);
  }
}

/** Moves the token of a link from the address to a cookie. It uses nothing up: mail scanners open links too. */
function keepToken(visit: Visit, token: string): Result {
  const { path } = visit.request;
  visit.cookies.push(carry(visit.services.config, path, { token }));
  const return_to = visit.carried?.return_to ?? null;
  return seeOther(visit, pathWith(path, isReturnPath(return_to) ? { return_to } : {}));
}
