import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type CliOptions, runCli, scratchFolder, startCli } from './cli.js';
import { type Files, writeFiles } from './files.js';
import { commitAll } from './git.js';
import { emittedBy } from './made-project.js';
import { layer, sharedPackage, smallTemplates } from './small-package.js';

const base = { title: 'Base', group: 'base', yours: ['src/app.ts'] };

/** The templates of a test's project: one file for each thing that can happen to a file. */
export const olderTemplates: Files = {
  ...smallTemplates,
  'base/files/src/lines.ts': 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 4;\n',
  'base/files/src/http/plain.ts': 'export const plain = 1;\n',
  'base/files/src/old/gone.ts': 'export const gone = 1;\n',
  'base/files/docs/here.md': '# Here\n\nText.\n',
};

/** The next release: it changes, moves, removes and adds files. */
export const newerTemplates: Files = {
  ...without(olderTemplates, 'base/files/src/old/gone.ts', 'base/files/docs/here.md'),
  ...layer(
    'base',
    { ...base, renamed: { 'docs/there.md': 'docs/here.md' }, removed: ['src/old/gone.ts'] },
    { dependencies: { p: '^1.0.0' } },
  ),
  'base/files/src/lines.ts': 'const one = 1;\nconst two = 22;\nconst three = 3;\nconst four = 4;\n',
  'base/files/src/http/plain.ts': 'export const plain = 2;\n',
  'base/files/docs/there.md': '# Here\n\nText.\n',
  'base/files/src/fresh/deep/new.ts': 'export const fresh = 1;\n',
};

const newerVersion = '99.0.0';

/** The templates of both releases, and the folder for the project: by default that of a test. */
interface Setting {
  older?: Files;
  newer?: Files;
  folder?: string;
}

/** A project, and the command of the release after the one that created it. The tests of a file get copies of one. */
export async function upgradableProject(setting: Setting = {}) {
  const { older = olderTemplates, newer = newerTemplates, folder } = setting;
  const bins = {
    older: sharedPackage(older),
    newer: sharedPackage(newer, newerVersion),
  };
  return projectAt(await emittedBy(bins.older), bins).copy(folder);
}

/** An edit that the newer release conflicts with, and the text that has both. */
export const conflicting = {
  'src/lines.ts': 'const one = 1;\nconst two = 3;\nconst three = 3;\nconst four = 4;\n',
};
export const resolved = {
  'src/lines.ts': 'const one = 1;\nconst two = 23;\nconst three = 3;\nconst four = 4;\n',
};

/** A project in a git repository, with these edits committed. */
export async function committedProject(edits: Files = {}, setting: Setting = {}) {
  const project = await upgradableProject(setting);
  writeFiles(project.root, edits);
  project.commitAll();
  return project;
}

export function conflictingProject() {
  return committedProject(conflicting);
}

export type UpgradableProject = Awaited<ReturnType<typeof upgradableProject>>;

function projectAt(root: string, bins: { older: string; newer: string }) {
  const at = (options: Partial<CliOptions>) => ({ cwd: root, bin: bins.newer, ...options });
  return {
    root,
    bins,
    /** Runs the command of the newer release in the project. */
    run: (args: string[], options: Partial<CliOptions> = {}) => runCli(args, at(options)),
    start: (args: string[], options: Partial<CliOptions> = {}) => startCli(args, at(options)),
    /** A copy of the project as it is now. */
    copy(folder = scratchFolder()) {
      const copied = join(folder, 'made');
      cpSync(root, copied, { recursive: true, verbatimSymlinks: true });
      return projectAt(copied, bins);
    },
    /** Makes it a git repository with everything committed. */
    commitAll: () => commitAll(root),
  };
}

function without(files: Files, ...paths: string[]): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));
}
