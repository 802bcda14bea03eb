import { z } from 'zod';
import type { ConfigCheck } from '../../config.js';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import { Success } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import { emailLang } from '../../mail/compose-mail.js';
import { originUrl } from '../../process/addresses.js';
import { oneOf, text } from '../../process/environment.js';
import type { Credential } from '../../session/credentials.js';
import { codeField } from './codes.js';
import { phoneAdded, phoneRemoved } from './mails.js';
import { changePhone, forgetPhone, verifyPhone } from './phone.js';
import { signInRoutes } from './routes.js';
import { smsStore } from './store.js';
import { endpointUrl, transportNames, transports } from './transports.js';

/** The chosen transport must have its variables. */
const configCheck: ConfigCheck = (config) =>
  config.SMS_TRANSPORT && transports[config.SMS_TRANSPORT].problem(config);

/** A verified phone can sign in to its account. */
const credential: Credential = {
  opensAccount: async ({ sms }, userId) => (await sms.findNumber(userId)) !== undefined,
  forget: forgetPhone,
};

export const sms = defineFeature({
  variables: {
    SMS_TRANSPORT: oneOf(...transportNames).prefault('log'),
    SMS_HTTP_URL: endpointUrl().optional(),
    SMS_HTTP_TOKEN: text().optional(),
    SMS_TWILIO_URL: originUrl().prefault('https://api.twilio.com'),
    SMS_TWILIO_ACCOUNT_SID: text().optional(),
    SMS_TWILIO_AUTH_TOKEN: text().optional(),
    SMS_TWILIO_FROM: text().optional(),
  },
  mails: { phoneAdded, phoneRemoved },
  configCheck,
  errors: {
    INVALID_PHONE_NUMBER: [
      400,
      'Give the phone number with its country code, such as +4915112345678.',
    ],
    INVALID_SMS_CODE: [400, 'This code is wrong or no longer valid.'],
  },
  limits: {
    /** Texts cost money and disturb people. */
    textsOfAccount: { points: 3, seconds: 3600, scope: 'shared' },
    /** To a number that is being added: many accounts must not flood one phone. */
    textsOfNumber: { points: 5, seconds: 3600, scope: 'shared' },
    textsPerIp: { points: 10, seconds: 3600, scope: 'shared' },
    /** Between two texts for one purpose. */
    textPauseOfAccount: { points: 1, seconds: 60, scope: 'shared' },
    /** With three texts an hour, 15 in a million. */
    guessesOfCode: { points: 5, seconds: 600, scope: 'shared', boundsGuesses: true },
  },
  credential,
  uiFeatures: () => ({ sms: true }),
  stores: (db: Db) => ({ sms: smsStore(db) }),
  routes: (): Route[] => [
    post(
      '/add-phone',
      {
        summary: 'Text a code to a new phone number, or remove the number',
        access: 'fresh',
        body: z.object({ phoneNumber: z.string().max(128).nullable(), emailLang }),
        reply: Success,
        errors: ['INVALID_PHONE_NUMBER'],
      },
      changePhone,
    ),

    post(
      '/verify-phone',
      {
        summary: 'Verify the new phone number with the texted code',
        access: 'signed-in',
        body: z.object({ code: codeField }),
        reply: Success,
        errors: ['INVALID_SMS_CODE'],
      },
      verifyPhone,
    ),

    ...signInRoutes,
  ],
});
