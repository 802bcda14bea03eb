import type { LimitRule } from '../../http/base-limits.js';

export const smsLimits = {
  /** Texts cost money, and an unwanted one disturbs. */
  textsOfAccount: { points: 3, seconds: 3600, scope: 'shared' },
  /** Of a number that somebody adds: many accounts must not flood one phone. */
  textsOfNumber: { points: 5, seconds: 3600, scope: 'shared' },
  textsOfAddress: { points: 10, seconds: 3600, scope: 'shared' },
  /** Between two texts of one kind. */
  textPauseOfAccount: { points: 1, seconds: 60, scope: 'shared' },
} as const satisfies Record<string, LimitRule>;
