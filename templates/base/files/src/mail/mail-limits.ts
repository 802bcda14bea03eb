import { HttpError } from '../http/errors.js';
import type { Limit } from '../http/route.js';
import type { Services } from '../services.js';

/** The limits of a mail to an address: so many an hour in all, and a pause between two of one kind. */
export function mailLimits(kind: string, email: string): Limit[] {
  return [
    ['mailPauseOfAccount', `${kind}:${email}`],
    ['mailsOfAccount', email],
  ];
}

/** True if such a mail may be sent now; it is counted. For mails that the answer does not speak of. */
export async function mayMail(services: Services, kind: string, email: string): Promise<boolean> {
  try {
    await services.limiter.consume(mailLimits(kind, email));
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
