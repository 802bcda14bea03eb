import type { LimitRule } from '../../http/base-limits.js';

export const toolsLimits = {
  /** Scripts cost processor time, and only time-outs end what is wasted. */
  callsOfProvider: { points: 600, seconds: 60, scope: 'process' },
} as const satisfies Record<string, LimitRule>;
