import type { SmsTransport } from '../transport.js';

/** For development: the text goes into the log. */
export const logTransport: SmsTransport = {
  problem({ isProduction }) {
    // Codes open accounts, and logs are read by many.
    return isProduction ? 'SMS_TRANSPORT must be http or twilio in production' : undefined;
  },
  async send(_config, log, { to, text }) {
    log.info({ to, text }, 'text message');
  },
};
