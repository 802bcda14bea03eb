import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emailField, normalizeEmail } from '../../users/email.js';

/** Letters whose case, width or composition has more than one spelling. */
const tricky = fc.string({
  unit: fc.constantFrom(
    ...['a', 'J', 'ß', 'İ', 'ı', 'ſ', 'K', 'Å', 'Σ', 'ς', 'ﬁ', 'ａ', '＠', '．', '¨', '…'],
    ...['\u030c', '\u0307', '\u0345', '\u00a0', '\u3000', ' ', '\n', '@', '.', '1', '\u1e9e'],
  ),
});

const anyText = fc.oneof(tricky, fc.string({ unit: 'binary' }), fc.emailAddress());

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

test('whatever is accepted as an address is stored in normal form, and mail can be sent to it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = emailField.safeParse(text);
      if (!parsed.success) return;
      expect(parsed.data).toBe(normalizeEmail(text));
      expect(parsed.data).toMatch(/^[\x21-\x7e]+@[\x21-\x7e]+$/);
      expect(parsed.data.length).toBeLessThanOrEqual(254);
    }),
    { numRuns: 1000 },
  );
});

/** U+FF01 to U+FF5E are the ASCII characters from `!` to `~` in East Asian width. */
function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}
