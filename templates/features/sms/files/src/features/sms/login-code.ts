import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Reply } from '../../http/route.js';
import { randomId } from '../../random.js';
import type { Services } from '../../services.js';
import { finishLogin } from '../../session/finish-login.js';
import { useCode } from './code.js';
import { METHOD } from './method.js';
import { refuseEvenly } from './refuse-evenly.js';
import { textCode } from './text-code.js';
import { mayText } from './text-limits.js';
import { findNamed, type Who } from './who.js';

export const LOGIN_PURPOSE = 'login';

/**
 * Texts a code that signs in, if there is such an account and its number is verified. The work
 * happens after the answer: neither its content nor its time tells (ASVS 6.3.8).
 */
export function requestLoginCode(services: Services, who: Who, language?: string): void {
  services.background.run('login code', async () => {
    const user = await findNamed(services, who);
    if (!user || user.disabledAt !== null) return;
    const phoneNumber = await services.sms.phones.findVerified(user.id);
    // The request was counted by what it named; the account has two names, but one allowance.
    if (!phoneNumber || !(await mayText(services, LOGIN_PURPOSE, user.id))) return;
    await textCode(services, { userId: user.id, purpose: LOGIN_PURPOSE, phoneNumber }, language);
  });
}

/**
 * Signs in by a texted code. Unknown account, no number, no code and wrong code are one answer, in
 * the same time. Throws INVALID_SMS_CODE.
 */
export async function useLoginCode(
  services: Services,
  request: RequestFacts,
  who: Who,
  code: string,
): Promise<Reply> {
  const userId = await refuseEvenly(async () => {
    const user = await findNamed(services, who);
    const id = user?.id ?? randomId();
    const phoneNumber = (await services.sms.phones.findVerified(id)) ?? '';
    const use = { userId: id, purpose: LOGIN_PURPOSE, phoneNumber };
    if ((await useCode(services, use, code)) && user) return user.id;
    services.events.publish(
      'identity.auth.login.failed',
      { method: METHOD, reason: 'invalid-code', email: user?.email ?? who.email ?? '' },
      { request, ...(user ? { userId: user.id } : {}) },
    );
    throw refuse('INVALID_SMS_CODE');
  });
  return finishLogin(services, request, { userId, method: METHOD });
}
