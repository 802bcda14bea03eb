import { mkdirSync, readFileSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestChecksum, manifestPath } from '../../src/plan/manifest.js';
import { readFiles, writeFiles } from '../support/files.js';
import { committedProject, upgradableProject } from '../support/upgradable.js';

describe.skipIf(process.platform === 'win32')('a hostile clone', () => {
  test('that is a repository without a work tree runs no filter of its own', async () => {
    const { run, root } = await committedProject({ '.gitattributes': '* filter=x\n' });
    for (const name of ['HEAD', 'config', 'index', 'objects', 'refs']) {
      renameSync(join(root, '.git', name), join(root, name));
    }
    renameSync(join(root, '.git'), join(root, '..', 'old-git'));
    writeFiles(root, {
      config:
        '[core]\n repositoryformatversion = 0\n bare = false\n worktree = .\n' +
        '[filter "x"]\n clean = "touch ran; cat"\n',
    });
    // As in a clone: the same text, written later, so that git looks into it.
    utimesSync(join(root, 'src/lines.ts'), 1, 1);
    for (const args of [['upgrade', '--dry-run'], ['upgrade'], ['doctor', '--no-run']]) {
      await run(args);
      expect(Object.keys(readFiles(root))).not.toContain('ran');
    }
  });

  test('with a link to an endless device as a lock does not hang', async () => {
    const { run, root } = await upgradableProject();
    mkdirSync(join(root, '.create-auth-service/work'));
    symlinkSync('/dev/zero', join(root, '.create-auth-service/work/lock-1'));
    expect(await run(['diff'])).toMatchObject({ exitCode: 0 });
    expect((await run(['upgrade'])).stderr).toContain('lock-1');
  });

  test.each(['.env', 'src/\u001b[2Jlines.ts', 'src/a\nDone'])(
    'with %j in its record is refused',
    async (path) => {
      const { run, root } = await upgradableProject();
      const { checksum, ...rest } = JSON.parse(readFileSync(join(root, manifestPath), 'utf8'));
      rest.files.find((file: { id: string }) => file.id === 'src/lines.ts').path = path;
      const forged = { ...rest, checksum: manifestChecksum(rest) };
      writeFiles(root, { [manifestPath]: JSON.stringify(forged) });
      for (const args of [['diff'], ['upgrade'], ['doctor', '--no-run']]) {
        const { exitCode, stderr } = await run(args);
        expect(stderr).toContain('which is not a file of the project');
        expect(exitCode).toBe(1);
      }
    },
  );
});
