import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { RequestInfo } from '../../../http/request.js';
import type { Services } from '../../../services.js';
import type { Factor } from '../../../session/reauthentication.js';
import { requireOffered } from '../../second-factor/second-factor.js';
import type { LoginChallenge } from '../../second-factor/store.js';
import { ofOwner, textCodeIfAllowed, textLimits } from '../codes.js';
import { METHOD } from '../login.js';

const PURPOSE = '2fa' as const;

/** Texts a code that finishes this sign-in, and no other. Throws METHOD_NOT_AVAILABLE. */
export async function requestSecondFactorCode(
  services: Services,
  { ip }: RequestInfo,
  challenge: LoginChallenge,
  language?: string,
): Promise<void> {
  const { id, userId } = challenge;
  await requireOffered(services, challenge, METHOD);
  const phoneNumber = await services.sms.findNumber(userId);
  if (!phoneNumber) throw refuse('METHOD_NOT_AVAILABLE');
  await services.limiter.consume(textLimits(PURPOSE, ofOwner(userId), ip));
  const use = { userId, purpose: PURPOSE, challengeId: id };
  services.background.run('second factor code', () =>
    textCodeIfAllowed(services, use, phoneNumber, language),
  );
}

const secondFactor: Factor = {
  name: METHOD,
  isAvailable: async ({ sms }, { user }) => (await sms.findNumber(user.id)) !== undefined,
};

export const smsSecondFactor = defineFeature({ secondFactor });
