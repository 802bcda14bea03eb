import { expect, test } from 'vitest';
import * as z from 'zod';
import { textOf } from '../src/features/pages/refusal.js';
import { parseFields } from '../src/http/body.js';
import { HttpError } from '../src/http/errors.js';
import { openPanel } from './panel.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { startWithPages, visitor } from './visitor.js';

const GERMAN = { 'accept-language': 'de' };

/** The issues of zod for values, without a message in the schema. */
const Schema = z.object({
  missing: z.string(),
  string: z.string(),
  number: z.number(),
  int: z.int(),
  boolean: z.boolean(),
  array: z.array(z.string()),
  object: z.object({}),
  record: z.record(z.string(), z.string()),
  empty: z.string().min(1),
  none: z.array(z.string()).min(1),
  short: z.string().min(8),
  long: z.string().max(3),
  little: z.number().min(2),
  much: z.number().max(2.5),
  many: z.array(z.string()).max(1),
  word: z.enum(['login', '2fa']),
  literal: z.literal(['on', true, 1n]),
  pattern: z.string().regex(/^a$/),
  uuid: z.uuid(),
  refined: z.string().refine(() => false),
  multiple: z.number().multipleOf(2),
  either: z.union([z.string().max(3), z.object({ deep: z.string(), deeper: z.string() })]),
  strict: z.strictObject({}),
});

const WRONG = {
  ...{ string: 7, number: 'x', int: 1.5, boolean: 'on', array: {}, object: [], record: 1 },
  ...{ empty: '', none: [], short: 'x', long: 'xxxx', little: 1, much: 3, many: ['a', 'b'] },
  ...{ word: 'x', literal: 'x', pattern: 'b', uuid: 'x', refined: 'x', multiple: 3 },
  ...{ either: 'xxxx', strict: { other: 1 } },
};

function sentences(): Record<string, string> {
  try {
    parseFields(Schema, WRONG);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const details = error.extra.details ?? [];
    return Object.fromEntries(details.map(({ path, message }) => [path, message]));
  }
  return {};
}

test('errors of fields are in plain words', () => {
  expect(sentences()).toEqual({
    missing: 'This is missing.',
    string: 'This must be of type string.',
    number: 'This must be of type number.',
    int: 'This must be of type int.',
    boolean: 'This must be of type boolean.',
    array: 'This must be of type array.',
    object: 'This must be of type object.',
    record: 'This must be of type object.',
    empty: 'This must not be empty.',
    none: 'This must not be empty.',
    short: 'Use at least 8 characters.',
    long: 'Use at most 3 characters.',
    little: 'Use at least 2.',
    much: 'Use at most 2.5.',
    many: 'Use at most 1 entries.',
    word: 'Allowed here: "login", "2fa".',
    literal: 'Allowed here: "on", "true", "1".',
    pattern: 'This is not in the expected format.',
    uuid: 'This is not in the expected format.',
    refined: 'This is not in the expected format.',
    multiple: 'This is not in the expected format.',
    either: 'Use at most 3 characters.',
    'strict.other': 'There is no such field.',
  });
});

test('pages have German for each of them, but for types that no field of a form has', async () => {
  const { services } = await startTestService();
  const { string, boolean, array, object, record, ...ofForms } = sentences();
  const german = Object.entries(ofForms).map(([name, message]) => {
    const said = { code: 'VALIDATION_FAILED', extra: { message } };
    return [name, textOf({ services, language: 'de' }, said)];
  });
  for (const [name, text] of german) expect([name, text]).not.toEqual([name, ofForms[name ?? '']]);
  expect(Object.fromEntries(german)).toMatchObject({
    short: 'Mindestens 8 Zeichen.',
    much: 'Höchstens 2.5.',
    word: 'Erlaubt ist hier: "login", "2fa".',
    empty: 'Dieses Feld darf nicht leer sein.',
  });
});

test('the API names each error of a profile', async () => {
  const { client } = await signInAs(await startTestService());
  const change = { firstName: 7, name: 'x'.repeat(201) };
  expect((await client.patch('/profile', change)).body.details).toEqual([
    { path: 'firstName', message: 'This must be of type string.' },
    { path: 'name', message: 'Use at most 200 characters.' },
  ]);
});

test('pages show errors beside the field, in the language of the browser', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/register', GERMAN);
  const typed = { email: 'nobody', password: 'p'.repeat(73) };
  const refused = await person.submit('register', typed, GERMAN);
  expect([refused.errorOf('email'), refused.errorOf('password')]).toEqual([
    'Das ist keine E-Mail-Adresse.',
    expect.stringContaining('höchstens 72 Buchstaben'),
  ]);
  const { visit } = await openPanel(service);
  await visit.open('/admin/webhooks/outgoing/new', GERMAN);
  const wrong = { url: 'nowhere', events: 'a/b', maxRetries: 'many', retryDelayMs: '-1' };
  const page = await visit.submit('create', wrong, GERMAN);
  expect(Object.keys(wrong).map((name) => page.errorOf(name))).toEqual([
    'Geben Sie eine URL mit http oder https ein.',
    'Geben Sie Namen von Ereignissen ein, oder *.',
    'Das muss eine Zahl sein.',
    'Mindestens 1.',
  ]);
});

test('an error of a setting is shown beside its value', async () => {
  const service = await startWithPages();
  const { visit } = await openPanel(service);
  await visit.open('/admin/settings');
  const lines = 'users.fnid';
  const typed = { name: 'enabledWebhookActions', lines };
  const refused = await visit.submit('set', typed);
  expect([refused.status, refused.errorOf('lines'), refused.valueOf('lines')]).toEqual([
    400,
    expect.stringMatching(/^Allowed here: "echo\.say", /),
    lines,
  ]);
});

test.each([
  ['en', 'Select at least one user.', 'The last administrator cannot be removed.'],
  [
    'de',
    'Wählen Sie mindestens ein Konto aus.',
    'Der letzte Administrator kann nicht entfernt werden.',
  ],
])('acting on several users in %s: nobody is ticked, or one is refused', async (...row) => {
  const [language, nobody, last] = row;
  const headers = { 'accept-language': language };
  const { user, visit } = await openPanel(await startWithPages());
  await visit.open('/admin/users', headers);
  const refused = await visit.submit('bulk', { act: 'disable' }, headers);
  expect([refused.status, refused.alert]).toEqual([400, nobody]);
  const ticked = { act: 'disable', [`user ${user.id}`]: 'on' };
  expect((await visit.submit('bulk', ticked, headers)).html).toContain(last);
});
