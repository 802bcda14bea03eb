import type { Config, ConfigCheck } from '../../config.js';
import { httpUrl, isLoopback } from '../../process/addresses.js';
import { variable } from '../../process/environment.js';
import type { Log } from '../../process/log.js';

/** A provider that is slower counts as down. */
const TIMEOUT_MS = 10_000;
const TWILIO = ['SMS_TWILIO_ACCOUNT_SID', 'SMS_TWILIO_AUTH_TOKEN', 'SMS_TWILIO_FROM'] as const;

/** One text to one phone. */
interface Text {
  /** E.164. */
  to: string;
  text: string;
}

/** A way to send texts. */
interface SmsTransport {
  /** Why it cannot be used with these variables, beginning with a variable's name. */
  problem: ConfigCheck;
  /** Hands the text over; rejects if that fails. Call it off the request path. */
  send(config: Config, log: Log, text: Text): Promise<void>;
}

/** The ways to send texts, by their names in SMS_TRANSPORT. */
export const transports: Record<Config['SMS_TRANSPORT'], SmsTransport> = {
  /** For development: the text goes into the log. */
  log: {
    problem({ isProduction }) {
      // Codes open accounts, and many people can read logs.
      return isProduction ? 'SMS_TRANSPORT must be http or twilio in production' : undefined;
    },
    async send(_config, log, { to, text }) {
      log.info({ to, text }, 'text message');
    },
  },

  /** Posts `{to, text}` as JSON to SMS_HTTP_URL, with SMS_HTTP_TOKEN as Bearer. */
  http: {
    problem({ SMS_HTTP_URL, isProduction }) {
      if (!SMS_HTTP_URL) return 'SMS_HTTP_URL is missing: SMS_TRANSPORT=http needs it';
      const { protocol, hostname } = new URL(SMS_HTTP_URL);
      if (!isProduction || protocol === 'https:' || isLoopback(hostname)) return undefined;
      return 'SMS_HTTP_URL must be https in production, unless it is on this machine';
    },
    async send({ SMS_HTTP_URL = '', SMS_HTTP_TOKEN }, _log, text) {
      await postText(SMS_HTTP_URL, {
        headers: {
          'content-type': 'application/json',
          ...(SMS_HTTP_TOKEN ? { authorization: `Bearer ${SMS_HTTP_TOKEN}` } : {}),
        },
        body: JSON.stringify(text),
      });
    },
  },

  /** Sends by Twilio's Messages API (2010-04-01). */
  twilio: {
    problem(config) {
      const missing = TWILIO.filter((name) => !config[name]);
      return missing.map((name) => `${name} is missing: SMS_TRANSPORT=twilio needs it`);
    },
    async send(config, _log, { to, text }) {
      const { SMS_TWILIO_ACCOUNT_SID: account = '', SMS_TWILIO_FROM: from = '' } = config;
      const credentials = Buffer.from(`${account}:${config.SMS_TWILIO_AUTH_TOKEN}`);
      const path = `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
      // The id of a messaging service begins with MG; anything else is a sender.
      const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
      await postText(config.SMS_TWILIO_URL + path, {
        headers: { authorization: `Basic ${credentials.toString('base64')}` },
        body: new URLSearchParams({ To: to, [sender]: from, Body: text }),
      });
    },
  },
};

/**
 * Hands a text to a provider. Rejects unless it answers 2xx in time; the error has the status and nothing
 * of the text, which contains a code. Redirects are refused, because they would forward the credentials.
 */
async function postText(
  url: string,
  message: { headers: Record<string, string>; body: string | URLSearchParams },
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...message,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The SMS provider answered ${response.status}.`);
}

/** The variable for a URL that may have a query. `fetch` refuses one with user info. */
export function endpointUrl() {
  return variable(
    'a URL such as https://sms.example.com/send, without user info',
    (text) => httpUrl(text)?.href,
  );
}
