import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Of } from '../../src/plan/manifest.js';
import type { Owner } from '../../src/plan/ownership.js';
import { isOnlyReformatted } from '../../src/upgrade/merge/same-code.js';
import { isUnedited } from '../../src/upgrade/unedited.js';
import {
  applied,
  continued,
  edited,
  emitted,
  type InMemoryProject,
  upgradeTo,
} from '../support/in-memory-project.js';

const paths = ['src/a.ts', 'src/b.ts', 'lib/a.ts', 'migrations/1.ts', 'x.md', 'list.txt'];
const owners: Record<string, Owner> = {
  'src/b.ts': 'yours',
  'migrations/1.ts': 'frozen',
  'list.txt': 'list',
};
const line = fc.constantFrom('const a = 1;', 'const b = 2;', '// c', '// d', '');
const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`);
const files = fc.dictionary(fc.constantFrom(...paths), text, { maxKeys: 5 });
const own = fc.dictionary(
  fc.constantFrom(...paths, 'own.ts', 'src/new.ts'),
  fc.option(
    fc.oneof(
      text,
      text.map((each) => each.replaceAll('\n', '\r\n')),
    ),
    { nil: undefined },
  ),
  { maxKeys: 4 },
);
/** A release may give `src/new.ts` the id of a file that existed before. */
const rename = fc.constantFrom<Record<string, string>>({}, { 'src/new.ts': 'src/a.ts' });

const stories = fc.record({ from: files, to: files, edits: own, ids: rename }).map((story) => {
  const { 'src/a.ts': moved, ...others } = story.to;
  const isRenamed = 'src/new.ts' in story.ids && moved !== undefined;
  return {
    before: edited(emitted({ version: '0.1.0', files: story.from, owners }), story.edits),
    next: {
      version: '0.2.0',
      files: isRenamed ? { ...others, 'src/new.ts': moved } : story.to,
      owners,
      ids: isRenamed ? story.ids : {},
    },
    from: story.from,
  };
});

test('a second run writes nothing, whatever the team and the template did', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ before, next }) => {
      const plan = await upgradeTo(before, next);
      const after = applied(before, plan);
      const again = await upgradeTo(continued(after), next);
      expect(again.changes.map(({ path }) => path)).toEqual([]);
      expect(again.pending).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('no file of the team goes, but those which the template drops and nobody edited', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ before, next, from }) => {
      const plan = await upgradeTo(before, next);
      const after = applied(before, plan);
      const gone = teamPaths(before).filter((path) => !after.has(path));
      const movedAway = plan.outcomes.flatMap((outcome) => outcome.from ?? []);
      for (const path of gone.filter((each) => !movedAway.includes(each))) {
        const content = before.get(path)?.content ?? Buffer.alloc(0);
        // It may be another file of the first release, which the team has moved here.
        const isPristine = Object.values(from).map(
          (text) =>
            isUnedited(content, { sha256: sha256Of(text) }) ||
            isOnlyReformatted(path, Buffer.from(text), content),
        );
        expect(await Promise.all(isPristine)).toContain(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('the same project and the same templates give the same plan', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ before, next }) => {
      expect(await upgradeTo(before, next)).toEqual(await upgradeTo(before, next));
    }),
    { numRuns: 50 },
  );
});

function teamPaths(project: InMemoryProject): string[] {
  return [...project.keys()].filter((path) => !path.startsWith('.create-auth-service/'));
}
