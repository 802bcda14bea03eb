import type { transportNames } from './config.js';
import type { SmsTransport } from './transport.js';
import { httpTransport } from './transports/http.js';
import { logTransport } from './transports/log.js';
import { twilioTransport } from './transports/twilio.js';

/** What SMS_TRANSPORT chooses from. */
export const transports: Record<(typeof transportNames)[number], SmsTransport> = {
  log: logTransport,
  http: httpTransport,
  twilio: twilioTransport,
};
