import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkReturnPath } from '../src/features/oauth/state.js';
import { parsePhoneNumber } from '../src/features/sms/numbers.js';
import { HttpError } from '../src/http/errors.js';
import { emailField, normalizeEmail } from '../src/users/user.js';

// What must hold for any input.

/** Letters whose case, width or composition has more than one spelling. */
const tricky = fc.string({
  unit: fc.constantFrom(
    ...['a', 'J', 'ß', 'İ', 'ı', 'ſ', 'K', 'Å', 'Σ', 'ς', 'ﬁ', 'ａ', '＠', '．', '¨', '…'],
    ...['\u030c', '\u0307', '\u0345', '\u00a0', '\u3000', ' ', '\n', '@', '.', '1', '\u1e9e'],
  ),
});

/** Domains that are Punycode, or of Punycode, or nearly. */
const punycode = fc
  .tuple(fc.nat(3), fc.constantFrom('gmail', 'mnchen-3ya', 'p1ai', 'a/', ''), fc.nat(6))
  .map(([depth, label, dashes]) => `a@${'xn--'.repeat(depth)}${label}${'-'.repeat(dashes)}.com`);
const anyText = fc.oneof(tricky, punycode, fc.string({ unit: 'binary' }), fc.emailAddress());

test('the normal form of an address is its own normal form', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const normal = normalizeEmail(text);
      expect(normalizeEmail(normal)).toBe(normal);
    }),
    { numRuns: 2000 },
  );
});

test('case, surrounding blanks and full-width letters make no other address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      const normal = normalizeEmail(email);
      expect(normalizeEmail(email.toUpperCase())).toBe(normal);
      expect(normalizeEmail(`\t ${email}\u00a0\n`)).toBe(normal);
      expect(normalizeEmail(fullWidth(email))).toBe(normal);
    }),
  );
});

test('an international domain makes one address, in its own letters or as Punycode', () => {
  const domain = fc.string({ unit: fc.constantFrom(...'abüßéжд日本-'), minLength: 1 });
  fc.assert(
    fc.property(domain, (label) => {
      const ascii = domainToASCII(`${label}.example`);
      const normal = normalizeEmail(`ada@${ascii}`);
      expect(normalizeEmail(normal)).toBe(normal);
      if (ascii !== '') expect(normal).toBe(normalizeEmail(`ada@${domainToUnicode(ascii)}`));
    }),
  );
});

/** U+FF01 to U+FF5E are the ASCII characters from `!` to `~` in East Asian width. */
function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}

/** No character that ends an address in a header, and no invisible one; letters of every script (RFC 6531). */
const SENDABLE =
  /^(?!.*\p{Default_Ignorable_Code_Point})[^\s@\p{C}\p{Z}<>()[\]\\,;:"]+@[\p{L}\p{M}\p{N}.-]+$/u;

test('whatever is accepted as an address is stored in normal form, and mail can be sent to it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = emailField.safeParse(text);
      if (!parsed.success) return;
      expect(parsed.data).toBe(normalizeEmail(text));
      expect(parsed.data).toMatch(SENDABLE);
      expect(parsed.data.length).toBeLessThanOrEqual(254);
    }),
    { numRuns: 1000 },
  );
});

test('whatever is written, the phone number is in E.164 (ITU-T) and its own spelling', async () => {
  /** Digits with common separators, or any text. */
  const text = fc.oneof(
    fc.stringMatching(/^\+?[\d ()./-]{0,22}$/),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  const property = fc.asyncProperty(text, async (written) => {
    const number = await parsePhoneNumber(written);
    if (number === undefined) return;
    expect(number).toMatch(/^\+[1-9]\d{5,14}$/);
    expect(await parsePhoneNumber(number)).toBe(number);
  });
  await fc.assert(property, { numRuns: 1000 });
});

/** Pieces of open redirects, in any order. */
const piece = fc.constantFrom(
  ...['/', '//', '\\', '.', '..', '@', ':', '?', '#', '%2f', '%5c', '\t', '\n', '\0', ' '],
  ...['evil.example', 'https:', 'javascript:', 'a', 'ü', '\u2028', '；'],
);
const path = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('attack: whatever is asked for, the page that a sign-in leads to is one of the app', () => {
  const app = 'https://app.example.com';
  fc.assert(
    fc.property(path, (asked) => {
      const checked = checkOrRoot(asked);
      expect(new URL(app + checked).origin).toBe(app);
      // As a browser would resolve it on a page of the app.
      expect(new URL(checked, app).origin).toBe(app);
    }),
    { numRuns: 2000 },
  );
});

function checkOrRoot(asked: string): string {
  try {
    return checkReturnPath(asked);
  } catch (error) {
    if (error instanceof HttpError && error.code === 'OAUTH_RETURN_PATH_INVALID') return '/';
    throw error;
  }
}

// Each takes a second with a quadratic expression.
test('attack: the normal form of a long address takes linear time', () => {
  for (let times = 0; times < 100; times++)
    expect(normalizeEmail(`@xn--${'\ufdfa'.repeat(2_000)}@`)).toContain('@');
}, 20_000);
