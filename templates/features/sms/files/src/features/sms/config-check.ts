import type { Check } from '../../environment/checks.js';
import { transports } from './transports.js';

/** The transport that is chosen must have what it needs. */
export const smsConfigCheck: Check = (config) =>
  config.SMS_TRANSPORT && transports[config.SMS_TRANSPORT].problem(config);
