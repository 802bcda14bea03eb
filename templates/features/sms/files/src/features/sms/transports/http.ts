import { postText } from '../post-text.js';
import type { SmsTransport } from '../transport.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Posts `{to, text}` as JSON to SMS_HTTP_URL, with SMS_HTTP_TOKEN as Bearer. */
export const httpTransport: SmsTransport = {
  problem({ SMS_HTTP_URL, isProduction }) {
    if (!SMS_HTTP_URL) return 'SMS_HTTP_URL is missing: SMS_TRANSPORT=http needs it';
    const { protocol, hostname } = new URL(SMS_HTTP_URL);
    if (!isProduction || protocol === 'https:' || LOOPBACK.test(hostname)) return undefined;
    return 'SMS_HTTP_URL must be https in production, but on this very machine';
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
};
