import { type ComposeMail, linkMail, mailLimits } from '../../mail/compose-mail.js';
import type { User } from '../../users/user.js';

export const KIND = 'email-verification';

/** Counted by address: an account that was deleted and created again gets no more links. */
export const linkLimits = ({ email }: User) => mailLimits(KIND, `unproven:${email}`);

const link = linkMail({
  kind: KIND,
  lifetime: 24 * 60 * 60 * 1000,
  page: ({ AUTH_PREFIX, BASE_URL }) => `${BASE_URL}${AUTH_PREFIX}/verify-email`,
  subject: { en: 'Confirm your email address', de: 'Bestätigen Sie Ihre Adresse' },
  paragraphs: [
    {
      en: 'An account was created with this address. The link confirms that it is yours; it works for 24 hours.',
      de: 'Mit dieser Adresse wurde ein Konto angelegt. Der Link bestätigt, dass sie Ihnen gehört; er gilt 24 Stunden.',
    },
    {
      en: 'If this was not you, ignore this email.',
      de: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail.',
    },
  ],
  action: { en: 'Confirm the address', de: 'Adresse bestätigen' },
});

/** Sent only if the address is still unproven: a provider may have vouched for it meanwhile. */
export const verification: ComposeMail<{ userId: string; language?: string | undefined }> = async (
  services,
  data,
) => {
  const { limiter, oneTimeTokens, users } = services;
  const user = await users.findById(data.userId);
  if (user?.emailProvenAt !== null) return undefined;
  const isFirst = (await oneTimeTokens.payloadsOf(user.id, KIND)).length === 0;
  // Whoever deletes an account can create it again, with the address of a stranger.
  const limits = isFirst ? mailLimits(KIND, `new:${user.email}`) : [];
  return (await limiter.allows(limits)) ? link(services, data) : undefined;
};
