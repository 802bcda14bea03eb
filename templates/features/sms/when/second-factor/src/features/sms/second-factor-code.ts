import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Reply } from '../../http/route.js';
import type { Services } from '../../services.js';
import { answerChallenge, requireChallenge } from '../second-factor/challenge.js';
import { useCode } from './code.js';
import { METHOD } from './method.js';
import { textCode } from './text-code.js';
import { textLimits } from './text-limits.js';

const PURPOSE = '2fa';

/**
 * Texts a code that finishes the sign-in of the temp token, and no other.
 * Throws TEMP_TOKEN_REQUIRED; INVALID_TEMP_TOKEN, also if this user has no such second factor.
 */
export async function requestSecondFactorCode(
  services: Services,
  request: RequestFacts,
  tempToken: string | undefined,
  language?: string,
): Promise<void> {
  const { id, userId, method } = await requireChallenge(services, tempToken);
  const phoneNumber = await services.sms.phones.findVerified(userId);
  if (!phoneNumber || method === METHOD) {
    const message = 'A texted code cannot finish this sign-in.';
    throw refuse('INVALID_TEMP_TOKEN', { message });
  }
  await services.limiter.consume(textLimits(PURPOSE, userId, request));
  const use = { userId, purpose: PURPOSE, phoneNumber, challengeId: id };
  services.background.run('second factor code', () => textCode(services, use, language));
}

/**
 * Finishes the sign-in of the temp token by a texted code.
 * Throws TEMP_TOKEN_REQUIRED, INVALID_TEMP_TOKEN, INVALID_SMS_CODE.
 */
export async function useSecondFactorCode(
  services: Services,
  request: RequestFacts,
  tempToken: string | undefined,
  code: string,
): Promise<Reply> {
  const challenge = await requireChallenge(services, tempToken);
  return answerChallenge(services, request, challenge, {
    method: METHOD,
    wrong: 'INVALID_SMS_CODE',
    async isRight(userId) {
      const phoneNumber = await services.sms.phones.findVerified(userId);
      if (!phoneNumber) return false;
      const use = { userId, purpose: PURPOSE, phoneNumber, challengeId: challenge.id };
      return useCode(services, use, code);
    },
  });
}
