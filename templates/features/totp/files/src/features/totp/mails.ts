import type { Message, Texts } from '../../mail/compose-mail.js';
import type { Content } from '../../mail/layout.js';
import type { Services } from '../../services.js';

const NOT_YOU = 'If it was not you, end your other sessions at once, and ask for help.';

const texts = {
  enabled: {
    en: {
      subject: 'An authenticator app was set up',
      paragraphs: [
        'Signing in to your account now asks for a code of your authenticator app.',
        NOT_YOU,
      ],
    },
  },
  disabled: {
    en: {
      subject: 'Your authenticator app was removed',
      paragraphs: ['Signing in to your account no longer asks for a code.', NOT_YOU],
    },
  },
  codesReplaced: {
    en: {
      subject: 'New recovery codes were made',
      paragraphs: ['The old recovery codes of your account no longer work.', NOT_YOU],
    },
  },
} satisfies Record<string, Texts<Content>>;

const codeUsedTexts = (left: number): Texts<Content> => ({
  en: {
    subject: 'A recovery code was used',
    paragraphs: [
      'Somebody signed in to your account with one of your recovery codes.',
      `${left} of them are left. ${NOT_YOU}`,
    ],
  },
});

/** Sent after the app was set up or removed, or the recovery codes were replaced. */
export async function totpNotice(
  _services: Services,
  { email, notice }: { email: string; notice: keyof typeof texts },
): Promise<Message> {
  return { to: email, texts: texts[notice] };
}

/** Sent after a sign-in by recovery code. */
export async function recoveryCodeUsed(
  { totp, users }: Services,
  { userId }: { userId: string },
): Promise<Message | undefined> {
  const user = await users.findById(userId);
  if (!user) return undefined;
  return { to: user.email, texts: codeUsedTexts(await totp.countRecoveryCodes(userId)) };
}
