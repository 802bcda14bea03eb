import { originUrl } from '../../environment/address-parsers.js';
import { neededInProduction } from '../../environment/needed-in-production.js';
import { oneOf, text, variable } from '../../environment/parsers.js';
import { baseVariables } from '../../environment/variables.js';

/** Each has a file in `transports/` and a line in `transports.ts`. */
export const transportNames = ['log', 'http', 'twilio'] as const;

export const smsVariables = {
  SMS_TRANSPORT: oneOf(...transportNames).prefault('log'),
  SMS_HTTP_URL: endpoint().optional(),
  SMS_HTTP_TOKEN: text().optional(),
  SMS_TWILIO_URL: originUrl().prefault('https://api.twilio.com'),
  SMS_TWILIO_ACCOUNT_SID: text().optional(),
  SMS_TWILIO_AUTH_TOKEN: text().optional(),
  SMS_TWILIO_FROM: text().optional(),
  /** Owners are told by mail of each change of their phone number. */
  SMTP_URL: neededInProduction(baseVariables.SMTP_URL),
};

function endpoint() {
  return variable('a URL such as https://sms.example.com/send, without user info', (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
    // With user info, which fetch refuses, or a fragment it would be longer.
    const isPlain = url?.href === `${url?.origin}${url?.pathname}${url?.search}`;
    return isHttp && isPlain ? url.href : undefined;
  });
}
