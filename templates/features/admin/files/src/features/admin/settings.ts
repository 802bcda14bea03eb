import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import { type Route, Success } from '../../http/route.js';
import { askedByOthers, composeMail, mailLimits } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { ADMIN_ROLE } from '../../users/account.js';
import { emailField } from '../../users/user.js';
import { currentSetting, type SettingName, settingDefinitions } from '../settings/feature.js';
import { type ActCall, get, post, put } from './route.js';

const SettingList = z.object({
  settings: z.record(z.string(), z.unknown()),
  /** Where each value comes from. */
  sources: z.record(z.string(), z.enum(['stored', 'environment'])),
});

export type SettingList = z.output<typeof SettingList>;

export function settingRoutes(services: Services): Route[] {
  return [
    get('/settings', {
      summary: 'Current settings',
      permission: 'settings:read',
      reply: SettingList,
      handle: async ({ services }) => ({ body: await allSettings(services) }),
    }),

    put('/settings', {
      summary: 'Change settings; null restores the value of the environment',
      permission: 'settings:write',
      body: changesOf(services),
      reply: Success.extend(SettingList.shape),
      handle: async (call) => {
        const { body, services } = call;
        for (const [name, value] of Object.entries(body)) await changeSetting(call, name, value);
        return { body: { success: true, ...(await allSettings(services)) } };
      },
    }),
  ];
}

/** Changes a setting, with its old and new value in the audit log. Throws FORBIDDEN. */
export async function changeSetting(
  { caller, details, services }: Pick<ActCall<never, never>, 'caller' | 'details' | 'services'>,
  name: string,
  value: unknown,
): Promise<void> {
  // One change at a time, also of a setting without a row: `old` decides what is allowed. This row is always there.
  await services.roles.lock(ADMIN_ROLE);
  const old = await currentSetting(services, name as SettingName);
  await services.settings.set(name, value);
  const changed = await currentSetting(services, name as SettingName);
  settingDefinitions(services)[name]?.requireAllowed?.(caller, changed, old);
  details[name] = { old, new: changed };
}

/** Absent: unchanged. Null: the environment decides again. */
function changesOf(services: Services) {
  const definitions = Object.entries(settingDefinitions(services));
  const fields = definitions.map(([name, { schema }]) => [name, schema.nullable().optional()]);
  return z.object<Record<string, z.ZodType>>(Object.fromEntries(fields));
}

async function allSettings(services: Services): Promise<SettingList> {
  const all: SettingList = { settings: {}, sources: {} };
  for (const [name, { fallback }] of Object.entries(settingDefinitions(services))) {
    const stored = await services.settings.get(name);
    all.settings[name] = stored ?? fallback(services.config);
    all.sources[name] = stored === undefined ? 'environment' : 'stored';
  }
  return all;
}

const TEST_MAIL = {
  subject: { en: 'Test email', de: 'Test-E-Mail' },
  paragraphs: [
    {
      en: 'An administrator requested this email. If you can read it, this service can send email.',
      de: 'Die Administration hat diese E-Mail angefordert. Wenn Sie sie lesen können, kommen die E-Mails dieses Dienstes an.',
    },
  ],
};

/** Sends a mail directly, not through the queue. Throws MAIL_NOT_SENT with the mail server's response. */
export const testMailRoute: Route = post('/settings/test-mail', {
  summary: 'Send a test email, and return what the mail server says',
  permission: 'settings:write',
  body: z.object({ to: emailField }),
  errors: ['MAIL_NOT_SENT'],
  limits: ({ body }) => mailLimits('test', askedByOthers(body.to)),
  waits: true,
  handle: async ({ body: { to }, commit, request: { language }, services: { config, mailer } }) => {
    await commit(async () => {});
    try {
      await mailer.send(composeMail(config, 'test', { to, language, letter: TEST_MAIL }));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw refuse('MAIL_NOT_SENT', { message });
    }
  },
});
