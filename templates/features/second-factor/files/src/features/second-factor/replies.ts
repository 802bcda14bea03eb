import { z } from 'zod';

/** What a sign-in answers that still needs a second factor. */
export const ChallengeReply = z.object({
  requiresTwoFactor: z.literal(true),
  tempToken: z.string(),
  /** The names of the factors to choose from. */
  available2faMethods: z.array(z.string()),
});

/** What 2FA_SETUP_REQUIRED tells besides: a token that opens the set-up and nothing else. */
export const SetUpDemand = z.object({
  requires2FASetup: z.literal(true),
  tempToken: z.string(),
});
