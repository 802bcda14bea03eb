import type { Db } from '../db/schema.js';
import { defineFeature } from '../feature.js';
import { mailbox, smtpUrl } from '../process/addresses.js';
import { secret, text } from '../process/environment.js';
import { LANGUAGE } from './compose-mail.js';
import { createMailDispatcher } from './dispatcher.js';
import { mailQueue } from './queue.js';

export const mail = defineFeature({
  variables: {
    SMTP_URL: secret(smtpUrl().optional()),
    MAIL_FROM: mailbox(),
    /** The language of mails whose request names none. */
    MAIL_LANGUAGE: text().regex(LANGUAGE, 'must be a language such as en or de-CH').prefault('en'),
  },
  limits: {
    /** Mails to one address: the number, and the pause between two of one kind. */
    mailsOfAccount: { points: 5, seconds: 3600, scope: 'shared' },
    mailPauseOfAccount: { points: 1, seconds: 60, scope: 'shared' },
  },
  stores: (db: Db) => ({ mails: mailQueue(db) }),
  worker: createMailDispatcher,
});
