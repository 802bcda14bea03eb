import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { applied, edited, emitted, textAt, upgradeTo } from '../support/in-memory-project.js';
import { packFile, pristineTexts } from '../support/pristine-texts.js';

const first = { version: '0.1.0', files: { a: 'one\ntwo\n', b: 'same\n'.repeat(50), c: 'gone\n' } };
const second = { version: '0.2.0', files: { a: 'one\n2\n', b: first.files.b, d: 'new\n' } };

/** The same pack as another build of zlib would write it. */
function packedOtherwise(pack: string): string {
  return pack.replace(/[^\t]+$/gm, (text) => {
    const content = inflateSync(Buffer.from(text, 'base64'));
    return deflateSync(content, { level: 0 }).toString('base64');
  });
}

test('a line of base.pack stays as it is as long as its text does', async () => {
  const made = emitted(first);
  const pack = packedOtherwise(textAt(made, packFile) ?? '');
  const before = edited(made, { [packFile]: pack });
  const after = applied(before, await upgradeTo(before, second));
  const lineOf = (text: string | undefined, path: string) =>
    text?.split('\n').find((line) => line.startsWith(`${path}\t`));
  expect(lineOf(textAt(after, packFile), 'b')).toBe(lineOf(pack, 'b'));
  expect(pristineTexts(textAt(after, packFile))).toEqual(second.files);
});

test('a base.pack that git has left in conflict, with its line ends changed, still gives every text', async () => {
  const made = emitted(first);
  const pack = textAt(made, packFile) ?? '';
  const inConflict = `<<<<<<< HEAD\n=======\n${pack}>>>>>>> other\n`.replaceAll('\n', '\r\n');
  const before = edited(made, { [packFile]: inConflict, a: '1\none\ntwo\n' });
  const { outcomes, changes } = await upgradeTo(before, second);
  expect(outcomes.find(({ path }) => path === 'a')?.outcome).toBe('merged');
  const written = changes.find(({ path }) => path === packFile)?.after?.content.toString();
  expect(pristineTexts(written)).toEqual(second.files);
});
