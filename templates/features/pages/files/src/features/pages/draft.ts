import type { Cookie } from '../../http/cookies.js';
import { seal, unseal } from '../data-key/seal.js';
import { pageCookie } from './carried.js';
import { isFormOf } from './guard.js';
import { isSecretField } from './refusal.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

/** What was typed into a form, and the guard that was sent with it. */
export interface Draft {
  form: string;
  guard: string;
  fields: Record<string, string>;
}

const NAME = 'draft';
const LIFETIME_SECONDS = 15 * 60;
/** Browsers keep cookies of 4096 bytes (RFC 6265 §6.1). */
const LONGEST = 3_900;

/** Keeps a draft in the browser until its owner has signed in again: sealed, and without secrets. */
export function draftCookie({ services, request }: Visit, draft: Draft): Cookie[] {
  const typed = Object.entries(draft.fields).filter(([name]) => !isSecretField(name));
  const text = JSON.stringify({ ...draft, fields: Object.fromEntries(typed) });
  const value = seal(services.config, contextOf(request.path), text);
  const isKept = typed.length > 0 && value.length <= LONGEST;
  return isKept ? [pageCookie(NAME, value, LIFETIME_SECONDS)] : [];
}

/** Takes a draft of this page out of the browser, since its form is being sent. Signing in keeps those of other pages. */
export function dropDraft(visit: Visit): Cookie[] {
  return openDraft(visit) ? [pageCookie(NAME, '', 0)] : [];
}

/**
 * The visit with the draft of this page, which is taken out of the browser. Whoever signs in next in this browser sees
 * only what they typed themselves: the guard in it says whose form it was.
 */
export function takeDraft(visit: Visit): Visit {
  const { services, caller } = visit;
  const draft = openDraft(visit);
  if (!draft || !caller) return visit;
  const { form, guard, fields } = draft;
  visit.cookies.push(pageCookie(NAME, '', 0));
  if (!isFormOf(services, caller.user.id, guard)) return visit;
  const message = pagesTexts.sessionHadEnded;
  return { ...visit, refusal: { form, message, errors: {}, typed: fields, proofs: [] } };
}

function openDraft({ services, request }: Visit): Draft | undefined {
  const sealed = request.cookies[NAME];
  const opened = sealed && unseal(services.config, contextOf(request.path), sealed);
  return opened ? JSON.parse(opened.text) : undefined;
}

function contextOf(path: string): string {
  return `draft:${path}`;
}
