import type { LimitRule } from '../../http/base-limits.js';

export const totpLimits = {
  /** Codes of one account outside a challenge: set-up, and proofs before sensitive operations. */
  totpCodesOfAccount: {
    points: 5,
    seconds: 300,
    scope: 'shared',
    isGrowing: true,
    boundsGuesses: true,
  },
} as const satisfies Record<string, LimitRule>;
