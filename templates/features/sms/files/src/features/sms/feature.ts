import type { Config } from '../../config.js';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import { originUrl } from '../../process/addresses.js';
import { oneOf, secret, text, wholeNumber } from '../../process/environment.js';
import type { Credential } from '../../session/credentials.js';
import { callingCodes } from './numbers.js';
import { forgetPhone, phoneAdded, phoneName, phoneRemoved, phoneRoutes } from './phone.js';
import { signInRoutes } from './routes.js';
import { smsStore } from './store.js';
import { checkTexting, endpointUrl } from './transports.js';

/** A verified phone can sign in to its account. */
const credential: Credential = {
  opensAccount: async ({ sms }, userId) => (await sms.findNumber(userId)) !== undefined,
  async forget(tx, userId) {
    const phoneNumber = await forgetPhone(tx, userId);
    return phoneNumber ? [phoneName(phoneNumber)] : [];
  },
};

export const sms = defineFeature({
  variables: {
    SMS_TRANSPORT: oneOf('log', 'http', 'twilio').prefault('log'),
    SMS_COUNTRIES: callingCodes().optional(),
    SMS_DAILY_LIMIT: wholeNumber(1, 1_000_000_000).prefault('1000'),
    /** Some providers want a key in the query. */
    SMS_HTTP_URL: secret(endpointUrl().optional()),
    SMS_HTTP_TOKEN: secret(text().optional()),
    SMS_TWILIO_URL: originUrl().prefault('https://api.twilio.com'),
    SMS_TWILIO_ACCOUNT_SID: text().optional(),
    SMS_TWILIO_AUTH_TOKEN: secret(text().optional()),
    SMS_TWILIO_FROM: text().optional(),
  },
  mails: { phoneAdded, phoneRemoved },
  configCheck: checkTexting,
  errors: {
    INVALID_PHONE_NUMBER: [
      400,
      'Give the phone number with its country code, such as +4915112345678.',
    ],
    PHONE_COUNTRY_NOT_ALLOWED: [400, 'Numbers of this country cannot be used here.'],
    INVALID_SMS_CODE: [400, 'This code is wrong or no longer valid.'],
  },
  limits: {
    /** Texts cost money and disturb people. */
    textsOfAccount: { points: 3, seconds: 3600, scope: 'shared' },
    /** To a number that is being added: many accounts must not flood one phone. */
    textsOfNumber: { points: 5, seconds: 3600, scope: 'shared' },
    textsPerIp: { points: 10, seconds: 3600, scope: 'shared' },
    /** All texts, however many accounts and IPs request them. */
    textsOfDay: {
      points: ({ SMS_DAILY_LIMIT }: Config): number => SMS_DAILY_LIMIT,
      seconds: 24 * 3600,
      scope: 'shared',
      isAlwaysOn: true,
    },
    /** Between two texts for one purpose. */
    textPauseOfAccount: { points: 1, seconds: 60, scope: 'shared' },
    /** With three texts an hour, 15 in a million. */
    guessesOfCode: { points: 5, seconds: 600, scope: 'shared', isAlwaysOn: true },
  },
  credential,
  uiFeatures: () => ({ sms: true }),
  stores: (db: Db) => ({ sms: smsStore(db) }),
  routes: (): Route[] => [...phoneRoutes, ...signInRoutes],
});
