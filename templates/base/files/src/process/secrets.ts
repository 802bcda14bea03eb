import { entries, secret, variable } from './environment.js';

/** RFC 7518 §3.2: an HS256 key is at least as long as the hash. */
const LEAST_BYTES = 32;
/** 32 random hex digits have fewer than 8 different ones once in ten million times. */
const LEAST_DIFFERENT_CHARACTERS = 8;
/** Words of the examples that get copied. A random secret of hex digits or base64 has none of them. */
const EXAMPLE_WORDS =
  /change|example|secret|password|placeholder|replace|your[-_]|default|qwert|01234567|abcdefg/i;

/** One secret, or a comma list of them: the first signs, all verify, so that a secret can be rotated. */
export function secretList() {
  const expected = `at least ${LEAST_BYTES} random bytes (openssl rand -hex 32)`;
  return secret(
    variable(expected, (text) => {
      const secrets = entries(text);
      const isLongEnough = secrets.every((each) => Buffer.byteLength(each) >= LEAST_BYTES);
      return secrets.length > 0 && isLongEnough ? secrets : undefined;
    }),
  );
}

/** True for a secret that could be guessed: few different characters, a repetition, an example. */
export function isWeakSecret(secret: string): boolean {
  return (
    new Set(secret).size < LEAST_DIFFERENT_CHARACTERS ||
    // A repetition, and nothing else, occurs within itself doubled and shifted.
    (secret + secret).indexOf(secret, 1) < secret.length ||
    EXAMPLE_WORDS.test(secret)
  );
}
