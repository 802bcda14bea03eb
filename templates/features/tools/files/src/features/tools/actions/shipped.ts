import * as z from 'zod';
import { recordAct } from '../../../events/transactions.js';
import { refuse } from '../../../http/errors.js';
import { type Message, mailLimits } from '../../../mail/compose-mail.js';
import type { Services } from '../../../services.js';
import { disableUser } from '../../../session/end-session.js';
import { emailField } from '../../../users/user.js';
import { defineAction } from '../action.js';

export const echoSay = defineAction({
  id: 'echo.say',
  label: { en: 'Echo', de: 'Echo' },
  category: 'Testing',
  description: { en: 'Returns its argument.', de: 'Gibt zurück, was es bekommt.' },
  input: z.unknown(),
  fn: async (input) => input,
});

export const usersFind = defineAction({
  id: 'users.find',
  label: { en: 'Find a user', de: 'Konto finden' },
  category: 'Users',
  description: {
    en: 'Finds a user by {email} or {id}; null if there is none.',
    de: 'Findet ein Konto nach {email} oder {id}; null, wenn es keines gibt.',
  },
  permission: 'users:read',
  input: z.union([z.object({ email: emailField }), z.object({ id: z.string().max(64) })]),
  async fn(input, { services: { users } }) {
    const user =
      'email' in input ? await users.findByEmail(input.email) : await users.findById(input.id);
    if (!user) return null;
    const { id, email, emailVerifiedAt, disabledAt, metadata } = user;
    return {
      id,
      email,
      isEmailVerified: emailVerifiedAt !== null,
      isDisabled: disabledAt !== null,
      metadata,
    };
  },
});

export const usersSessions = defineAction({
  id: 'users.sessions',
  label: { en: 'Sessions of a user', de: 'Sitzungen eines Kontos' },
  category: 'Users',
  description: {
    en: 'Lists the sessions of the user {id}.',
    de: 'Listet die Sitzungen des Kontos {id} auf.',
  },
  dependsOn: ['users.find'],
  permission: 'sessions:read',
  input: z.object({ id: z.string().max(64) }),
  async fn({ id }, { services }) {
    const sessions = await services.sessions.listOfUser(id);
    return sessions.map((session) => ({
      handle: session.id,
      createdAt: new Date(session.createdAt).toISOString(),
      lastActiveAt: new Date(session.lastActiveAt).toISOString(),
      userAgent: session.userAgent,
      ipAddress: session.ipAddress,
    }));
  },
});

/** Whoever has it may write a script that disables users, which must not reach further than they do. */
const DISABLES = 'users:write';

export const usersDisable = defineAction({
  id: 'users.disable',
  label: { en: 'Disable a user', de: 'Konto sperren' },
  category: 'Users',
  description: {
    en: 'Disables the user {id} and ends their sessions; false if already disabled. Fails for a user who has more permissions.',
    de: 'Sperrt das Konto {id} und beendet seine Sitzungen; false, wenn es schon gesperrt war. Scheitert bei einem Konto, das mehr Rechte hat.',
  },
  dependsOn: ['users.find'],
  permission: DISABLES,
  changes: true,
  input: z.object({ id: z.string().max(64) }),
  fn: ({ id }, { actor, request, services }) =>
    services.transaction(async (tx) => {
      const held = (await tx.users.findAccount(id))?.roles.permissions ?? [];
      if (held.some((permission) => permission !== DISABLES)) throw refuse('FORBIDDEN');
      const isChanged = await disableUser(tx, id, { actor, request });
      if (isChanged)
        await recordAct(tx, { actor, action: 'users.disable', target: id, details: {}, request });
      return isChanged;
    }),
});

export const mailSend = defineAction({
  id: 'mail.send',
  label: { en: 'Send a mail', de: 'E-Mail senden' },
  category: 'Mail',
  description: {
    en: 'Mails {subject, text} to {to}; at most one a minute to one address.',
    de: 'Schickt {subject, text} an {to}; höchstens eine E-Mail je Minute an eine Adresse.',
  },
  permission: 'users:write',
  changes: true,
  input: z.object({
    to: emailField,
    subject: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\r\n]*$/, 'Use one line.'),
    text: z.string().min(1).max(10_000),
  }),
  async fn({ to, subject, text }, { actor, request, services }) {
    await services.limiter.consume(mailLimits('tools', to));
    await services.transaction(async (tx) => {
      await tx.mails.add('scriptMail', { to, subject, text });
      const act = { actor, action: 'mail.send', target: null, details: { subject }, request };
      await recordAct(tx, act);
    });
    return true;
  },
});

/** The mail of a script, taken to be in MAIL_LANGUAGE. */
export async function scriptMail(
  { config }: Services,
  { to, subject, text }: { to: string; subject: string; text: string },
): Promise<Message> {
  const written = (en: string) => ({ en, [config.MAIL_LANGUAGE]: en });
  const paragraphs = text.split(/\n{2,}/).map(written);
  return { to, letter: { subject: written(subject), paragraphs } };
}
