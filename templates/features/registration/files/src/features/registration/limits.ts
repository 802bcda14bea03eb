import type { LimitRule } from '../../http/base-limits.js';

export const registrationLimits = {
  registrationOfAddress: { points: 20, seconds: 3600, scope: 'shared' },
} as const satisfies Record<string, LimitRule>;
