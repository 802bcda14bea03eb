import { createHash } from 'node:crypto';
import { randomToken } from '../../random.js';

const COUNT = 10;
/** 80 random bits each: beyond guessing even from a stolen hash (ASVS 6.5.2). */
const DIGITS = 20;

/** Ten codes for the day the phone is lost, such as `3f9a1-0c27e-88d14-b6a05`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => grouped(randomToken().slice(0, DIGITS)));
}

/** The form in which a code is stored. However it is typed, with or without dashes, it is one code. */
export function hashOfRecoveryCode(code: string): string {
  const plain = code.replace(/[\s-]/g, '').toLowerCase();
  return createHash('sha256').update(plain).digest('hex');
}

function grouped(digits: string): string {
  return (digits.match(/.{5}/g) ?? []).join('-');
}
