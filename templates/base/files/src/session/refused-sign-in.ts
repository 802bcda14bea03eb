import { HttpError, refuse } from '../http/errors.js';
import type { RequestInfo } from '../http/request.js';
import type { Route } from '../http/route.js';
import type { Services } from '../services.js';

export interface RefusedSignIn {
  method: string;
  /** The code that the client got, or the provider's own. */
  reason: string;
  /** Absent if no account is known. */
  userId?: string;
  /** True after a right first factor: whoever failed is known. */
  isProven?: boolean;
}

const REFUSALS = [401, 403, 429];

/**
 * Notes what a route that signs in threw, if it is a refusal. A limit or a foreign origin is only logged: no
 * credential was looked at, and whoever sends them could fill the database.
 */
export function noteRefusedSignIn(
  services: Services,
  request: RequestInfo,
  { signsIn: method, errors = [] }: Route,
  error: unknown,
): void {
  if (method === undefined || !(error instanceof HttpError)) return;
  const { code: reason, extra } = error;
  const refused = { method, reason, ...extra.attempt };
  const [status = 500] = services.errors[reason] ?? [];
  if (extra.attempt || errors.includes(reason)) recordRefusedSignIn(services, request, refused);
  else if (REFUSALS.includes(status)) logRefusedSignIn(services, request, refused);
}

/** The one line of a refused sign-in. */
export function logRefusedSignIn(
  { log }: Services,
  request: RequestInfo,
  { method, reason, userId }: RefusedSignIn,
): void {
  log.info({ requestId: request.id, method, reason, ip: request.ip, userId }, 'sign-in refused');
}

/**
 * Logs a refused sign-in and publishes it after the response, whose time tells nothing of the account. What
 * was typed as an address is kept only if it is an account's: people mistake the field for another.
 */
export function recordRefusedSignIn(
  services: Services,
  request: RequestInfo,
  refused: RefusedSignIn,
): void {
  logRefusedSignIn(services, request, refused);
  const { method, reason, userId, isProven } = refused;
  services.background.run('refused sign-in', async () => {
    const user = userId === undefined ? undefined : await services.users.findById(userId);
    services.events.publish(
      'identity.auth.login.failed',
      { method, reason, email: user?.email ?? '' },
      { request, ...(user ? { userId: user.id } : {}), ...(isProven ? {} : { actor: null }) },
    );
  });
}

/** Runs what follows a right first factor: a refusal says whose sign-in it was. */
export async function afterFirstFactor<T>(userId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw refuse(error.code, { ...error.extra, attempt: { userId, isProven: true } });
  }
}
