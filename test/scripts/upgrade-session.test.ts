import { expect, test } from 'vitest';
import { sessionIn, sessionText } from '../../scripts/upgrade-session/readme-part.js';
import { upgradeSession } from '../../scripts/upgrade-session/session.js';
import { scratchFolder } from '../support/cli.js';
import { textOf } from '../support/repository.js';

test('the session in the README is what really happens, but for how many files a release changes', async () => {
  const text = sessionText(await upgradeSession(scratchFolder()));
  expect(text).toContain(
    'Conflict, marked in the file or beside it as .template (1)\n  src/http/redirect.ts\n',
  );
  expect(text).toContain('UU src/http/redirect.ts\n');
  expect(text).toContain('+  return { status: 303, headers: { location: url } };\n');
  expect(whatStays(sessionIn(textOf('README.md')))).toEqual(whatStays(text));
});

/** What is typed, the conflict and how it ends; not the lists of files, which grow with each change of a template. */
function whatStays(session: string): string[] {
  const lines = session
    .split('\n')
    .filter((line) => /^(\$|[<|=>]{7}|[+-]|UU|Conflict|Merged|Not done|Done)/.test(line));
  return lines.map((line) => line.replace(/\(\d+\)/, '(n)').replace(/^(Done: .*?\.) .*/, '$1'));
}
