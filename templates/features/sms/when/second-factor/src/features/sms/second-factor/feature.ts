import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { RequestInfo } from '../../../http/request.js';
import type { Services } from '../../../services.js';
import type { SecondFactor } from '../../second-factor/second-factor.js';
import type { LoginChallenge } from '../../second-factor/store.js';
import { textCode, textLimits, useCode } from '../codes.js';
import { METHOD } from '../login.js';

const PURPOSE = '2fa' as const;

/** Texts a code that finishes this sign-in, and no other. Throws INVALID_TEMP_TOKEN if the user cannot. */
export async function requestSecondFactorCode(
  services: Services,
  { ip }: RequestInfo,
  { id, userId, method }: LoginChallenge,
  language?: string,
): Promise<void> {
  const phoneNumber = await services.sms.findNumber(userId);
  if (!phoneNumber || method === METHOD) {
    const message = 'A texted code cannot finish this sign-in.';
    throw refuse('INVALID_TEMP_TOKEN', { message });
  }
  await services.limiter.consume(textLimits(PURPOSE, userId, ip));
  const use = { userId, purpose: PURPOSE, challengeId: id };
  services.background.run('second factor code', () =>
    textCode(services, use, phoneNumber, language),
  );
}

/** True if the code was texted for this sign-in; the code is consumed. */
export async function useSecondFactorCode(
  services: Services,
  { id, userId }: LoginChallenge,
  code: string,
): Promise<boolean> {
  return useCode(services, { userId, purpose: PURPOSE, challengeId: id }, code);
}

const secondFactor: SecondFactor = {
  name: METHOD,
  isAvailable: async ({ sms }, { user }) => (await sms.findNumber(user.id)) !== undefined,
};

export const smsSecondFactor = defineFeature({ secondFactor });
