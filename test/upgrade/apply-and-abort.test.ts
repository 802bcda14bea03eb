import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Of } from '../../src/plan/manifest.js';
import { applyChanges } from '../../src/project/changes/apply-changes.js';
import { abortChanges } from '../../src/project/changes/finish-changes.js';
import { readProjectFile } from '../../src/project/read-file.js';
import type { TreeChange } from '../../src/upgrade/upgrade-plan.js';
import { readTree, writeFiles } from '../support/files.js';

interface Drawn {
  content: string;
  mode: number;
}

/** Paths in folders of their own, shared ones and none; no path is a folder of another. */
const paths = ['a', 'b', 'c/a', 'c/b', 'c/d/a', 'e/f/g/a', 'e/f/g/b', 'h/a'];
const file = fc.record({
  content: fc.string({ maxLength: 40 }),
  mode: fc.constantFrom(0o644, 0o755, 0o600, 0o664),
});
const tree = fc.dictionary(fc.constantFrom(...paths), file);
/** The expected content of some paths afterwards; undefined: no file. */
const wish = fc.dictionary(fc.constantFrom(...paths), fc.option(file, { nil: undefined }));

async function inFolder(
  files: Record<string, Drawn>,
  look: (root: string) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'create-auth-service-abort-'));
  try {
    for (const [path, { content, mode }] of Object.entries(files)) {
      writeFiles(root, { [path]: content });
      chmodSync(join(root, path), mode);
    }
    writeFiles(root, { '.create-auth-service/manifest.json': '{}' });
    await look(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function changesTo(root: string, wished: Record<string, Drawn | undefined>): TreeChange[] {
  return Object.entries(wished).flatMap(([path, after]) => {
    const there = readProjectFile(root, path);
    if (!there && !after) return [];
    const before = there && { sha256: sha256Of(there.content), mode: there.mode };
    return [{ path, before, after: after && { ...after, content: Buffer.from(after.content) } }];
  });
}

test('apply, then abort: every byte, permission and folder is as it was', async () => {
  await fc.assert(
    fc.asyncProperty(tree, wish, (files, wished) =>
      inFolder(files, async (root) => {
        const before = readTree(root);
        const changes = changesTo(root, wished);
        const written = await applyChanges(root, changes, { title: 'Test', isPending: true });
        for (const { path, after } of changes) {
          expect(readProjectFile(root, path)?.content).toEqual(after?.content);
        }
        expect((await abortChanges(root)) ?? []).toEqual([]);
        expect(readTree(root)).toEqual(before);
        if (written === 0) expect(await abortChanges(root)).toBeUndefined();
      }),
    ),
    { numRuns: 100 },
  );
});

test('apply, edit, then abort: every edit is kept beside', async () => {
  await fc.assert(
    fc.asyncProperty(tree, wish, fc.constantFrom(...paths), (files, wished, edited) =>
      inFolder(files, async (root) => {
        const before = readTree(root);
        const changes = changesTo(root, wished);
        if (!changes.some(({ path }) => path === edited)) return;
        const written = await applyChanges(root, changes, { title: 'Test', isPending: true });
        if (written === 0) return;
        const hasChanged = (readTree(root)[edited] ?? '') !== (before[edited] ?? '');
        writeFiles(root, { [edited]: 'written since, by the team' });
        const kept = (await abortChanges(root)) ?? [];
        if (!hasChanged) return;
        expect(kept).toEqual([`${edited}.kept`]);
        const { [`${edited}.kept`]: copy, ...rest } = readTree(root);
        expect(copy).toContain('written since, by the team');
        expect(rest).toEqual(before);
      }),
    ),
    { numRuns: 50 },
  );
});
