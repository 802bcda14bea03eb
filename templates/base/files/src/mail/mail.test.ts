import { expect, it } from 'vitest';
import type { Config } from '../config.js';
import { composeMail } from './compose-mail.js';
import { envelope } from './mailer.js';

const config = {
  MAIL_FROM: { name: undefined, address: 'no-reply@example.com' },
  MAIL_LANGUAGE: 'en',
  SERVICE_NAME: 'Acme',
} as Config;
const url = 'https://auth.example.com/open?token=00ff&next="';

function mailTo(to: string) {
  const letter = {
    subject: { en: 'Hello\r\nBcc: mallory@example.com' },
    paragraphs: [{ en: '<img src=x onerror=alert(1)> & more' }],
    action: { label: { en: 'Go on' }, url },
  };
  return composeMail(config, 'hello', { to, letter });
}

it('shows markup as text', () => {
  expect(mailTo('alice@example.com').html).toContain(
    '&lt;img src=x onerror=alert(1)&gt; &amp; more',
  );
});

it.each([
  ['de-AT', undefined, 'Hallo'],
  [undefined, 'de', 'Hallo'],
  ['en', 'de', 'Hello'],
  ['fr', 'de', 'Hallo'],
  ['__proto__', 'en', 'Hello'],
])('asked for %s, by default in %s, says %s', (language, byDefault = 'en', subject) => {
  const mail = composeMail({ ...config, MAIL_LANGUAGE: byDefault }, 'hello', {
    to: 'alice@example.com',
    letter: { subject: { en: 'Hello', de: 'Hallo' }, paragraphs: [] },
    language,
  });
  expect(mail.subject).toBe(subject);
});

it('does not let a subject begin a header', () => {
  expect(envelope(config, mailTo('alice@example.com')).subject).toBe(
    'Hello Bcc: mallory@example.com',
  );
});

it.each([
  'alice@example.com, mallory@example.com',
  'alice@example.com;mallory@example.com',
  'alice@example.com\r\nBcc: mallory@example.com',
  'Alice <alice@example.com>',
  'everybody: alice@example.com;',
  'alice',
])('does not go to %j', (to) => {
  expect(() => envelope(config, mailTo(to))).toThrow('one plain address');
});
