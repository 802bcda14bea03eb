import type { Config, ConfigCheck } from '../../config.js';
import { httpUrl, isLoopback } from '../../process/addresses.js';
import { text, variable } from '../../process/environment.js';
import type { Log } from '../../process/log.js';

/** A provider that is slower counts as down. Less than the 10 s that a shutdown may take. */
const TIMEOUT_MS = 5_000;

interface SmsTransport {
  /** The variables that it cannot be used without. */
  needs: ('SMS_HTTP_URL' | `SMS_TWILIO_${'ACCOUNT_SID' | 'AUTH_TOKEN' | 'FROM'}`)[];
  /** Hands a text over, to a number in E.164; rejects if that fails. Call it off the request path. */
  send(config: Config, log: Log, text: { to: string; text: string }): Promise<void>;
}

/** The ways to send texts, by their names in SMS_TRANSPORT. */
export const transports: Record<Config['SMS_TRANSPORT'], SmsTransport> = {
  /** For development: the text goes into the log. */
  log: {
    needs: [],
    async send(_config, log, { to, text }) {
      log.info({ to, text }, 'text message');
    },
  },

  /** Posts `{to, text}` as JSON to SMS_HTTP_URL, with SMS_HTTP_TOKEN as Bearer. */
  http: {
    needs: ['SMS_HTTP_URL'],
    async send({ SMS_HTTP_URL = '', SMS_HTTP_TOKEN }, _log, text) {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (SMS_HTTP_TOKEN) headers.authorization = `Bearer ${SMS_HTTP_TOKEN}`;
      await postText(SMS_HTTP_URL, headers, JSON.stringify(text));
    },
  },

  /** Sends by Twilio's Messages API (2010-04-01). */
  twilio: {
    needs: ['SMS_TWILIO_ACCOUNT_SID', 'SMS_TWILIO_AUTH_TOKEN', 'SMS_TWILIO_FROM'],
    async send(config, _log, { to, text }) {
      const { SMS_TWILIO_ACCOUNT_SID: account = '', SMS_TWILIO_FROM: from = '' } = config;
      const credentials = Buffer.from(`${account}:${config.SMS_TWILIO_AUTH_TOKEN}`);
      const headers = { authorization: `Basic ${credentials.toString('base64')}` };
      const path = `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
      // The id of a messaging service is MG and hex digits; anything else is a sender, be it a name such as MGM.
      const sender = /^MG[0-9a-f]+$/.test(from) ? 'MessagingServiceSid' : 'From';
      const message = new URLSearchParams({ To: to, [sender]: from, Body: text });
      await postText(config.SMS_TWILIO_URL + path, headers, message);
    },
  },
};

/** The chosen transport needs its variables, and production a list of countries: strangers could run up a bill. */
export const checkTexting: ConfigCheck = (config) => {
  const { SMS_TRANSPORT: name, SMS_HTTP_URL: url, SMS_COUNTRIES: countries, isProduction } = config;
  const missing = name ? transports[name].needs.filter((variable) => !config[variable]) : [];
  const problems = missing.map((each) => `${each} is missing: SMS_TRANSPORT=${name} needs it`);
  if (!isProduction) return problems;
  // Codes open accounts, and many people can read logs.
  if (name === 'log') problems.push('SMS_TRANSPORT must be http or twilio in production');
  if (name === 'http' && url?.startsWith('http:') && !isLoopback(new URL(url).hostname)) {
    problems.push('SMS_HTTP_URL must be https in production, unless it is on this machine');
  }
  if (!countries) {
    problems.push('SMS_COUNTRIES is needed in production, such as 1,44,49 (* for all)');
  }
  return problems;
};

/**
 * Hands a text to a provider. Rejects unless it answers 2xx in time; the error has the status and nothing
 * of the text, which contains a code. Redirects are refused, because they would forward the credentials.
 */
async function postText(
  url: string,
  headers: Record<string, string>,
  body: string | URLSearchParams,
): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', redirect: 'error', signal, headers, body });
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

/** `fetch` would refuse a line break in a header, with an error that repeats the whole token. */
export function bearerToken() {
  return text().regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters');
}
