import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDotEnv } from '../doctor/dot-env.js';
import { UserError } from '../errors.js';
import { recordFiles } from '../plan/base-pack.js';
import { manifestPath, recordFolder } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import { openProject, type Project } from '../project/open-project.js';
import { readAnyFile, readProjectFile } from '../project/read-file.js';
import { drawSecrets } from '../project/secrets.js';
import type { Target } from '../project/target.js';
import type { FileToWrite } from '../project/write-tree.js';
import { isUnedited } from '../upgrade/unedited.js';
import { changeTo, isChange, type TreeChange } from '../upgrade/upgrade-plan.js';

/** The changes that creation makes to a folder. */
export interface CreateChanges {
  changes: TreeChange[];
  /** Files of the new project that exist with another text; first those that somebody has written to. */
  replaced: string[];
  /** Files of the existing project that the new one does not have. */
  left: LeftBehind;
  /** The secrets that an `.env` that was there lacks: it is never replaced. Undefined if there was none. */
  envLacks: string[] | undefined;
}

/**
 * Everything that a project consists of when it is new: the planned files, `.env`, and their record, the manifest last.
 */
export function filesToWrite(plan: Plan): FileToWrite[] {
  return [...plan.files, ...envFile(plan), ...recordFiles(plan)];
}

/**
 * What creation changes in a folder. An `.env` that is there stays.
 * @throws UserError if something other than a file is where a file goes, or a link is on the way
 */
export function changesToCreate({ path: root, isOccupied }: Target, plan: Plan): CreateChanges {
  const there = (path: string) => (isOccupied ? readProjectFile(root, path) : undefined);
  const envLacks = isOccupied ? secretsMissingIn(root, plan) : undefined;
  const written = filesToWrite(plan)
    .filter(({ path }) => path !== '.env' || !envLacks)
    .map((file) => changeTo(file.path, there(file.path), file));
  const paths = written.map(({ path }) => path);
  const emitted = isOccupied ? emittedIn(root) : [];
  const left = leftBehind(emitted, paths);
  const unedited = new Set(emitted.flatMap((each) => (each.isUnedited ? [each.path] : [])));
  const replaced = written
    .filter((each) => each.before && isChange(each) && !each.path.startsWith(recordFolder))
    .map(({ path }) => path);
  return {
    changes: [...left.removed.map((path) => changeTo(path, there(path), undefined)), ...written],
    replaced: replaced.sort((a, b) => Number(unedited.has(a)) - Number(unedited.has(b))),
    left,
    envLacks,
  };
}

function secretsMissingIn(root: string, { env }: Plan): string[] | undefined {
  const { values, obstacle } = readDotEnv({ root });
  // Some teams link it to another place: such a link is not followed.
  if (!values) return obstacle === undefined ? undefined : [];
  const secrets = env.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  return secrets.filter((name) => !values[name] && !values[`${name}_FILE`]);
}

function envFile({ files, env }: Plan): FileToWrite[] {
  const example = files.find(({ path }) => path === '.env.example');
  if (!example) return [];
  const content = Buffer.from(drawSecrets(example.content.toString(), env));
  return [{ path: '.env', content, mode: 0o600 }];
}

/** Files of an overwritten project that the new one does not have, by path. */
export interface LeftBehind {
  /** Unedited: nobody would miss them. */
  removed: string[];
  /** Edited since, or migrations, which some database may have run. */
  kept: string[];
}

/** A file of an existing project that was emitted, where it is now. */
interface Emitted {
  path: string;
  isFrozen: boolean;
  isUnedited: boolean;
}

function emittedIn(folder: string): Emitted[] {
  const files = projectIn(folder)?.manifest.files ?? [];
  return files.flatMap((file) => {
    const path = file.movedTo ?? file.path;
    const content = readAnyFile(folder, path)?.content;
    if (!content) return [];
    return [{ path, isFrozen: file.owner === 'frozen', isUnedited: isUnedited(content, file) }];
  });
}

/**
 * Files of the existing project that the new one does not have: it moved or dropped them.
 * @param paths of the new project
 */
function leftBehind(emitted: Emitted[], paths: string[]): LeftBehind {
  const left: LeftBehind = { removed: [], kept: [] };
  const brought = new Set(paths);
  for (const { path, isFrozen, isUnedited } of emitted) {
    if (!brought.has(path)) left[isUnedited && !isFrozen ? 'removed' : 'kept'].push(path);
  }
  return left;
}

/** The project in the folder; undefined also if its record cannot be relied on. */
function projectIn(folder: string): Project | undefined {
  if (!existsSync(join(folder, manifestPath))) return undefined;
  try {
    return openProject(folder);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
