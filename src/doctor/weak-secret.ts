// RFC 7518, 3.2: a key of HS256 is at least as long as its hash.
const leastBytes = 32;
// 32 random hex digits have fewer than 8 different ones once in ten million times.
const leastDifferentCharacters = 8;
// Words of examples that get copied. What is random, in hex or base64, has none of them.
const exampleWords =
  /change|example|secret|passw|placeholder|replace|your[-_]|default|qwert|01234567|abcdefg/i;

/** Why somebody could guess the secret, as the end of a sentence; undefined if nobody can. */
export function weakness(secret: string): string | undefined {
  if (Buffer.byteLength(secret) < leastBytes) return `it has less than ${leastBytes} bytes`;
  if (exampleWords.test(secret)) return 'it looks like an example';
  if (new Set(secret).size < leastDifferentCharacters) return 'it has too few different characters';
  return isRepetition(secret) ? 'it repeats itself' : undefined;
}

/** A text is some shorter one repeated exactly if it occurs within itself, doubled and shifted. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}
