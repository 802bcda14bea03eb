import { expect, test } from 'vitest';
import { problemsOf, SECRETS } from './environment.js';

test.each([
  [
    '100%',
    ['DATABASE_URL must be a URL such as mysql://user:password@host:3306/name (write % as %25)'],
  ],
  ['100%25', []],
])('the password %s: %j', (password, problems) => {
  const DATABASE_URL = `mysql://ada:${password}@127.0.0.1:3306/auth`;
  expect(problemsOf({ ...SECRETS, DATABASE_URL })).toEqual(problems);
});
