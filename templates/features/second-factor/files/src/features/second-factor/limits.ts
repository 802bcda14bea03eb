import type { LimitRule } from '../../http/base-limits.js';

export const secondFactorLimits = {
  /**
   * Second steps of one account that failed, over all its sign-ins: whoever knows the first factor opens
   * as many as they like. At most 10 an hour once it grows: a code of six digits, three of which are
   * right at a time, lasts for years (ASVS 6.6.3).
   */
  secondStepsOfAccount: { points: 10, seconds: 900, scope: 'shared', isGrowing: true },
} as const satisfies Record<string, LimitRule>;
