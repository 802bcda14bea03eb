import { createHash } from 'node:crypto';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';
import type { EventRecorder } from '../../events/bus.js';
import { defineFeature } from '../../feature.js';
import { changeNotice } from '../../mail/compose-mail.js';
import { now } from '../../process/clock.js';
import { type Device, deviceOf } from '../device-name/device-name.js';

declare module '../../db/schema.js' {
  interface Database {
    known_devices: {
      user_id: string;
      device_hash: string;
      first_seen_at: number;
    };
  }
}

function deviceNoticeStore(db: Db) {
  return {
    /** Remembers a device; true if it is new and not the account's first. */
    async remember(userId: string, deviceHash: string): Promise<boolean> {
      const row = { user_id: userId, device_hash: deviceHash, first_seen_at: now() };
      if (!(await insertUnlessTaken(db.insertInto('known_devices').values(row)))) return false;
      const ofUser = db.selectFrom('known_devices').select('user_id').where('user_id', '=', userId);
      const other = ofUser.where('device_hash', '!=', deviceHash).limit(1);
      return (await other.executeTakeFirst()) !== undefined;
    },
  };
}

/** Notifies the owner of a sign-in from an unknown device (ASVS 6.3.5), except for the account's first. */
const recorder: EventRecorder = {
  async record(tx, { event, data, metadata: { userId }, origin }) {
    if (event !== 'identity.session.created' || !userId) return;
    const { ipAddress, userAgent } = data;
    const hash = createHash('sha256')
      .update(userAgent ?? 'unknown')
      .digest('hex');
    if (!(await tx.deviceNotice.remember(userId, hash)) || origin.isKnownDevice) return;
    const where = { device: deviceOf(userAgent), ipAddress: ipAddress ?? 'unknown' };
    const user = await tx.users.findById(userId);
    const { language } = origin;
    if (user) await tx.mails.add('newDevice', { email: user.email, language, ...where });
  },
};

type SignIn = { device: Device; ipAddress: string };

const newDevice = changeNotice(
  { en: 'A new sign-in to your account', de: 'Neue Anmeldung an Ihrem Konto' },
  ({ device: { browser, system }, ipAddress }: SignIn) => ({
    en: `Your account was accessed from a new device: ${browser ?? 'an app'} on ${system ?? 'an unknown system'}, IP address ${ipAddress}.`,
    de: `Ihr Konto wurde mit einem bisher unbekannten Gerät benutzt: ${browser ?? 'eine App'}, ${system ?? 'unbekanntes System'}, IP-Adresse ${ipAddress}.`,
  }),
);

export const deviceNotice = defineFeature({
  mails: { newDevice },
  recorder,
  stores: (db: Db) => ({ deviceNotice: deviceNoticeStore(db) }),
});
