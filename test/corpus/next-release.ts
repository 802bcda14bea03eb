import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import inc from 'semver/functions/inc.js';
import { packTemplates } from '../../scripts/build/pack-templates.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { generatorVersion } from '../../src/package-root.js';
import { writeFiles } from '../support/files.js';
import { allEdits } from './all-edits.js';
import { fastifyShell, honoShell } from './edits/framework-shells.js';
import type { TemplateChange } from './team-edit.js';

/** The version that the release after this one has in the tests. */
export const nextVersion = inc(generatorVersion(), 'minor') ?? '';

/** Its changes to the templates, which cause real merges and real conflicts. */
export const templateChanges = [...allEdits, ...honoShell, ...fastifyShell].flatMap(
  ({ upstream }) => upstream ?? [],
);

/** Makes the package of the release after this one. @returns the path of its command */
export function nextRelease(folder: string): string {
  return madeUpRelease(folder, nextVersion, templateChanges);
}

/** Makes the package of another release: this one with changed templates. @returns the path of its command */
export function madeUpRelease(folder: string, version: string, changes: TemplateChange[]): string {
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const path of ['bin', 'dist', 'templates', 'package.json']) {
    cpSync(join(repositoryFolder, path), join(folder, path), { recursive: true, filter });
  }
  edit(join(folder, 'package.json'), /"version": "[^"]*"/, `"version": "${version}"`);
  for (const change of changes) apply(join(folder, 'templates'), change);
  packTemplates(folder);
  return join(folder, 'bin/create-auth-service.js');
}

function apply(templates: string, change: TemplateChange): void {
  const path = join(templates, change.path);
  if ('added' in change) writeFiles(templates, { [change.path]: change.added });
  else if ('movedTo' in change) move(templates, change);
  else if ('removed' in change) rmSync(path);
  else edit(path, change.from, change.to);
}

/** As a release does: the layer says where the file was. */
function move(templates: string, { path, movedTo }: { path: string; movedTo: string }): void {
  renameSync(join(templates, path), join(templates, movedTo));
  const [layer = '', from = ''] = path.split('/files/');
  const [, to = ''] = movedTo.split('/files/');
  const about = join(templates, layer, 'layer.json');
  const before = JSON.parse(readFileSync(about, 'utf8')) as { renamed?: object };
  const renamed = { ...before.renamed, [to]: from };
  writeFileSync(about, JSON.stringify({ ...before, renamed }));
}

function edit(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, () => to);
  if (after === before) throw new Error(`${path} has no ${from} any more: adapt test/corpus/edits`);
  writeFileSync(path, after);
}
