import type { LimitRule } from '../../http/base-limits.js';

export const passwordLimits = {
  loginOfAddress: { points: 10, seconds: 60, scope: 'shared' },
  /** Counts wrong and right passwords alike; a right one starts the count anew. */
  loginOfAccount: { points: 5, seconds: 300, scope: 'shared', isGrowing: true },
  /** Guesses of the current password by whoever holds a session. */
  passwordProofOfAccount: { points: 5, seconds: 300, scope: 'shared', isGrowing: true },
} as const satisfies Record<string, LimitRule>;
