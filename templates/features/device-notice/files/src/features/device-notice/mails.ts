import type { Message, Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';
import type { Device } from './device.js';

interface NewDevice {
  userId: string;
  device: Device;
  ipAddress: string;
}

const texts = ({ device: { browser, system }, ipAddress }: NewDevice): Texts<Content> => ({
  en: {
    subject: 'A new sign-in to your account',
    paragraphs: [
      `Your account was used from a device that we have not seen before: ${browser ?? 'an app'} on ${system ?? 'an unknown system'}, IP address ${ipAddress}.`,
      'If it was you, there is nothing to do. If not, end that session at once, and ask for help.',
    ],
  },
});

/** The notice of a sign-in from a new device. */
export async function newDeviceMail(
  { users }: Services,
  data: NewDevice,
): Promise<Message | undefined> {
  const user = await users.findById(data.userId);
  return user && { to: user.email, texts: texts(data) };
}
