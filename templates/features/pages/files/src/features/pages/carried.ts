import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import type { Config } from '../../config.js';
import type { Cookie } from '../../http/cookies.js';
import type { RequestInfo } from '../../http/request.js';
import { seal, unseal } from '../data-key/seal.js';
import { isFormOf, isGuarded, pageCookie } from './guard.js';
import { t } from './language.js';
import type { Refusal } from './refusal.js';
import type { Visit } from './visit.js';

/** The fields of a form as browsers send them, and those that a page passes to its route. */
export const Fields = z.record(z.string(), z.string());
export type Fields = z.output<typeof Fields>;

const NAME = 'carried';
const LIFETIME_SECONDS = 15 * 60;
const contextOf = (name: string, path: string) => `${name}:${path}`;

/**
 * Its name and path. A sibling domain can plant what it was given for an account of its own, but not by a `__Host-` name
 * (RFC 6265bis §4.1.3): such a cookie is sent to every page, so each has a name of its own.
 */
function cookieAt({ secureCookies }: Config, path: string): [name: string, scope: string] {
  return secureCookies ? [`__Host-${NAME}${path.replaceAll('/', '-')}`, '/'] : [NAME, path];
}

/**
 * Leaves fields for one page in a cookie, such as the token of a mailed link or the recipient of a code. They appear in
 * no URL, history or Referer, and scripts cannot read them. Without fields, deletes those that were left. Sealed,
 * because they replace what is typed: a cookie that a sibling domain plants must not change what a form does.
 */
export function carry(config: Config, path: string, fields?: Fields): Cookie {
  const value = fields ? seal(config, contextOf(NAME, path), JSON.stringify(fields)) : '';
  const [name, scope] = cookieAt(config, path);
  return pageCookie(name, value, fields ? LIFETIME_SECONDS : 0, scope);
}

/** The fields that an earlier page, or a mailed link, left for this page. */
export function carriedBy(config: Config, { cookies, path }: RequestInfo): Fields | undefined {
  const opened = unseal(config, contextOf(NAME, path), cookies[cookieAt(config, path)[0]] ?? '');
  return opened && JSON.parse(opened.text);
}

/** Names whom the fields are about, without the secret; empty if nobody in particular. */
export function subjectOf({ token, bearerToken, tempToken, email }: Fields = {}): string {
  const subject = token ?? bearerToken ?? tempToken ?? email;
  return subject ? createHash('sha256').update(subject).digest('hex') : '';
}

/** What was typed into a form, see `withoutSecrets`, and the guard that the form carried. */
export interface Draft {
  /** The name of the form; empty if what was typed was too long to keep. */
  form: string;
  guard: string;
  fields: Fields;
}

const DRAFT = 'draft';
/** Browsers keep cookies of up to 4096 bytes (RFC 6265 §6.1). */
const LONGEST = 3_900;

/** Keeps a draft, sealed, in the browser until its owner has signed in again; of one that is too long, only a note. */
export function keepDraft({ services, request, cookies }: Visit, draft: Draft): void {
  const sealed = (kept: Draft) =>
    seal(services.config, contextOf(DRAFT, request.path), packed(kept));
  const whole = sealed(draft);
  const value = whole.length <= LONGEST ? whole : sealed({ ...draft, form: '', fields: {} });
  cookies.push(pageCookie(DRAFT, value, LIFETIME_SECONDS));
}

/**
 * Removes the draft of this page, if any, from the browser and returns it. Only the user who typed it sees it: the
 * guard in it says whose form it was. Signing in keeps drafts of other pages.
 */
export function takeDraft(visit: Visit): Refusal | undefined {
  const draft = draftAt(visit, visit.request.path);
  if (!draft) return undefined;
  visit.cookies.push(pageCookie(DRAFT, '', 0));
  // The session of the form is still live: its user left the page instead of signing in again.
  if (isGuarded(visit.services, visit.request, visit.caller, draft.guard)) return undefined;
  return resume(visit, draft);
}

/** The draft that the browser keeps for the page at this path. */
export function draftAt({ services, request }: Visit, path: string): Draft | undefined {
  const opened = unseal(services.config, contextOf(DRAFT, path), request.cookies[DRAFT] ?? '');
  return opened && JSON.parse(inflateRawSync(Buffer.from(opened.text, 'base64')).toString());
}

/** Scripts, which are the longest drafts, take a third. */
function packed(draft: Draft): string {
  return deflateRawSync(JSON.stringify(draft)).toString('base64');
}

/** A form that an earlier session of this user was shown: with what was typed, but without its effect. */
export function resume(
  { services, caller }: Visit,
  { form, guard, fields: typed }: Draft,
): Refusal | undefined {
  if (!caller || !isFormOf(services, caller.user.id, guard)) return undefined;
  const message = form
    ? t('You are signed in again. Nothing was done yet: check this form, and send it again.')
    : t('What you typed was too long to keep.');
  return { form, message, isMistake: false, errors: {}, typed, proofs: [] };
}
