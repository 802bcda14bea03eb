import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestService } from '../../../test/service.js';
import { HttpError } from '../../http/errors.js';
import { checkReturnPath, pageOf } from './return-path.js';

/** Pieces that open redirects are made of, in whatever order. */
const piece = fc.constantFrom(
  '/',
  '//',
  '\\',
  '.',
  '..',
  '@',
  ':',
  '?',
  '#',
  '%2f',
  '%5c',
  '\t',
  '\n',
  '\0',
  'evil.example',
  'https:',
  'javascript:',
  ' ',
  'a',
  'ü',
  '\u2028',
  '；',
);
const path = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('attack: whatever is asked for, the page that a sign-in leads to is one of the app', async () => {
  const { config } = await startTestService();
  fc.assert(
    fc.property(path, (asked) => {
      const page = new URL(pageOf(config, returnPath(asked)));
      expect(page.origin).toBe(config.APP_URL);
      // As a browser would take it beside the app's own address.
      expect(new URL(returnPath(asked), config.APP_URL).origin).toBe(config.APP_URL);
    }),
    { numRuns: 2000 },
  );
});

test('an ordinary path of the app is taken as it is', () => {
  const segment = fc.stringMatching(/^[\w~.-]{1,12}$/).filter((text) => !/^\.+$/.test(text));
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
      const asked = `/${segments.join('/')}`;
      expect(checkReturnPath(asked)).toBe(asked);
    }),
  );
});

/** What the path becomes; the start page where it is refused with the code for it. */
function returnPath(asked: string): string {
  try {
    return checkReturnPath(asked);
  } catch (error) {
    if (error instanceof HttpError && error.code === 'OAUTH_RETURN_PATH_INVALID') return '/';
    throw error;
  }
}
