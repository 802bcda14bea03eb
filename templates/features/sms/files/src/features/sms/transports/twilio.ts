import { postText } from '../post-text.js';
import type { SmsTransport } from '../transport.js';

const NEEDED = ['SMS_TWILIO_ACCOUNT_SID', 'SMS_TWILIO_AUTH_TOKEN', 'SMS_TWILIO_FROM'] as const;

/** Sends by Twilio's Messages API (2010-04-01). */
export const twilioTransport: SmsTransport = {
  problem(config) {
    const missing = NEEDED.filter((name) => !config[name]);
    if (missing.length === 0) return undefined;
    return `${missing.join(', ')} is missing: SMS_TRANSPORT=twilio needs it`;
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
};
