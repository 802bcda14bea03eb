import * as z from 'zod';
import { type Html, html } from '../../http/html.js';
import type { SettingList } from '../admin/settings.js';
import type { Field } from '../pages/field.js';
import { form } from '../pages/form.js';
import { inLanguageOf } from '../pages/refusal.js';
import type { SignedIn } from '../pages/visit.js';
import { settingDefinitions } from '../settings/feature.js';
import { readable } from './audit.js';
import { table } from './list.js';
import { may, type PanelPage, read } from './panel.js';
import { actButton, badge, parsedJson } from './parts.js';
import { t } from './texts.js';

const noServer = t('No mail server is set (SMTP_URL): emails are only written to data/outbox.');

/** The settings that can change while the service runs, the source of each value, and an email to test the mail server. */
export const settingsPage: PanelPage = {
  permission: 'settings:read',
  isEntry: true,
  title: () => t('Settings'),
  content: async (visit) => {
    const { settings, sources } = await read<SettingList>(visit, 'GET /settings');
    const isSet = (name: string) => sources[name] === 'stored';
    const mayWrite = may(visit, 'settings:write');
    const to: Field = {
      name: 'to',
      label: t('Recipient'),
      inputmode: 'email',
      value: visit.caller.user.email,
    };
    return html`${table(Object.entries(settings), [
      [
        t('Setting'),
        ([name]) => html`${inLanguageOf(visit, name)}<br><code class="aside">${name}</code>`,
      ],
      [
        t('From'),
        ([name]) => (isSet(name) ? badge(t('set here'), 'good') : badge(t('environment'))),
      ],
      [
        t('Value'),
        ([name, value]) =>
          mayWrite ? changeForms(visit, name, value, isSet(name)) : readable(value),
      ],
    ])}
${
  mayWrite &&
  html`<h2>${t('Test email')}</h2><p class="aside">${visit.services.mailer.sent ? noServer : t('Sent immediately. If the mail server refuses it, its answer is shown.')}</p>
${form(visit, { name: 'test-mail', fields: [to], submit: t('Send a test email') })}`
}`;
  },
  forms: ({ mailer }) => ({
    set: {
      submits: 'PUT /settings',
      input: ({ name = '', json, lines, text }) => ({
        [name]:
          lines?.split('\n').flatMap((line) => line.trim() || []) ?? text ?? parsedJson(json, true),
      }),
    },
    unset: { submits: 'PUT /settings', input: ({ name = '' }) => ({ [name]: null }) },
    'test-mail': {
      submits: 'POST /settings/test-mail',
      done: mailer.sent ? noServer : t('The mail server accepted the email.'),
    },
  }),
};

function changeForms(visit: SignedIn, name: string, value: unknown, isStored: boolean): Html {
  const field = fieldFor(visit, name, value);
  // In the route's body, the field has the name of the setting.
  const { [name]: error = '' } = visit.refusal?.errors ?? {};
  const refusal = visit.refusal && { ...visit.refusal, errors: { [field.name]: error } };
  const [fields, hidden] = [[field], { name }];
  return html`${form({ ...visit, refusal }, { name: 'set', fields, hidden, submit: t('Save') })}
${isStored && actButton(visit, 'unset', t('Reset'), hidden)}`;
}

/** A field that suits the setting's schema; its name says how its text is parsed. */
function fieldFor(visit: SignedIn, name: string, value: unknown): Field {
  const label = inLanguageOf(visit, name);
  const schema = settingDefinitions(visit.services)[name]?.schema ?? z.unknown();
  const { type, enum: values } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  const json = JSON.stringify(value);
  const named = values?.map((each) => [JSON.stringify(each), String(each)]);
  const choices =
    type === 'boolean' ? { true: t('Yes'), false: t('No') } : named && Object.fromEntries(named);
  if (choices) return { name: 'json', label, value: json, choices };
  if (type === 'array' && Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return { name: 'lines', label, rows: 4, value: value.join('\n'), isOptional: true };
  }
  if (type === 'string') return { name: 'text', label, value: String(value), isOptional: true };
  return { name: 'json', label, value: json };
}
