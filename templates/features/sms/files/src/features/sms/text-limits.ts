import { HttpError } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Limit } from '../../http/route.js';
import type { Services } from '../../services.js';

/** The limits of a text to an account: a pause between two of one purpose, and so many an hour in all. */
function accountLimits(purpose: string, account: string): [pause: Limit, hour: Limit] {
  return [
    ['textPauseOfAccount', `${purpose}:${account}`],
    ['textsOfAccount', account],
  ];
}

/** The limits of a request for a text. Whoever presses the button too soon loses nothing by it. */
export function textLimits(purpose: string, account: string, request: RequestFacts): Limit[] {
  const [pause, hour] = accountLimits(purpose, account);
  return [pause, ['textsOfAddress', request.ip], hour];
}

/** True if such a text may be sent now; it is counted. For texts that the answer does not speak of. */
export async function mayText(
  services: Services,
  purpose: string,
  userId: string,
): Promise<boolean> {
  try {
    await services.limiter.consume(accountLimits(purpose, userId));
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
