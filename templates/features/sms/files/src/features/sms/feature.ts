import type { Config } from '../../config.js';
import { updateOrInsert } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import { originUrl } from '../../process/addresses.js';
import { now } from '../../process/clock.js';
import { oneOf, secret, text, wholeNumber } from '../../process/environment.js';
import type { Credential } from '../../session/credentials.js';
import type { Factor } from '../../session/reauthentication.js';
import { METHOD } from './login.js';
import { callingCodes } from './numbers.js';
import { forgetPhone, phoneAdded, phoneName, phoneRemoved, phoneRoutes } from './phone.js';
import { signInRoutes } from './routes.js';
import { bearerToken, checkTexting, endpointUrl } from './transports.js';

declare module '../../db/schema.js' {
  interface Database {
    phone_numbers: {
      user_id: string;
      /** E.164, verified. Not unique: see `docs/features/sms.md`. */
      phone_number: string;
      /** ms since the epoch. */
      verified_at: number;
    };
  }
}

function smsStore(db: Db) {
  return {
    /** The user's number, in E.164. */
    async findNumber(userId: string): Promise<string | undefined> {
      const query = db.selectFrom('phone_numbers').select('phone_number');
      return (await query.where('user_id', '=', userId).executeTakeFirst())?.phone_number;
    },

    /** Saves a number that was just verified; it replaces an older one. */
    async saveNumber(userId: string, phoneNumber: string): Promise<void> {
      const row = { user_id: userId, phone_number: phoneNumber, verified_at: now() };
      const update = db.updateTable('phone_numbers').set(row).where('user_id', '=', userId);
      await updateOrInsert(update, db.insertInto('phone_numbers').values(row));
    },

    async removeNumber(userId: string): Promise<void> {
      await db.deleteFrom('phone_numbers').where('user_id', '=', userId).execute();
    },
  };
}

/** A verified phone can sign in to its account. */
const credential: Credential = {
  opensAccount: async ({ sms }, userId) => (await sms.findNumber(userId)) !== undefined,
  async forget(tx, userId) {
    const phoneNumber = await forgetPhone(tx, userId);
    return phoneNumber ? [phoneName(phoneNumber)] : [];
  },
};

const factor: Factor = {
  name: METHOD,
  isAvailable: async ({ sms }, { user }) => (await sms.findNumber(user.id)) !== undefined,
};

export const sms = defineFeature({
  variables: {
    SMS_TRANSPORT: oneOf('log', 'http', 'twilio').prefault('log'),
    SMS_COUNTRIES: callingCodes().optional(),
    SMS_DAILY_LIMIT: wholeNumber(1, 1_000_000_000).prefault('1000'),
    /** Some providers want a key in the query. */
    SMS_HTTP_URL: secret(endpointUrl().optional()),
    SMS_HTTP_TOKEN: secret(bearerToken().optional()),
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
    PHONE_COUNTRY_NOT_ALLOWED: [400, 'Numbers from this country cannot be used here.'],
    INVALID_SMS_CODE: [400, 'This code is wrong or no longer valid.'],
    LAST_LOGIN_METHOD: [409, 'This is your only way to sign in. Add another one first.'],
  },
  limits: {
    /** Texts cost money and disturb people. */
    textsOfAccount: { points: 3, seconds: 3600 },
    /** To a number that is being added: many accounts must not flood one phone. */
    textsOfNumber: { points: 5, seconds: 3600 },
    textsPerIp: { points: 10, seconds: 3600 },
    /** All texts, however many accounts and IPs request them. */
    textsOfDay: {
      points: ({ SMS_DAILY_LIMIT }: Config): number => SMS_DAILY_LIMIT,
      seconds: 24 * 3600,
      isAlwaysOn: true,
    },
    /** Between two texts for one purpose. */
    textPauseOfAccount: { points: 1, seconds: 60 },
    /** With three texts an hour, 15 in a million. */
    guessesOfCode: { points: 5, seconds: 600, isAlwaysOn: true },
  },
  credential,
  factor,
  uiFeatures: () => ({ sms: true }),
  stores: (db: Db) => ({ sms: smsStore(db) }),
  routes: (): Route[] => [...phoneRoutes, ...signInRoutes],
});
