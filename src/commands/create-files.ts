import { join } from 'node:path';
import { recordFiles } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import { type LeftBehind, leftBehind } from '../project/left-behind.js';
import { replacedFiles } from '../project/replaced-files.js';
import { drawSecrets } from '../project/secrets.js';
import { statsOf } from '../project/stats-of.js';
import type { Target } from '../project/target.js';
import type { FileToWrite } from '../project/write-project.js';

/** What creation does to a folder. */
interface FilesToWrite {
  files: FileToWrite[];
  /** Those of them that are there already. */
  replaced: string[];
  /** Of the project that is there: what the new one does not have. */
  left: LeftBehind;
}

/**
 * Everything that creation writes: the planned files, their record, and `.env` unless there is one already.
 * @throws UserError if something else than a file lies where a file goes
 */
export function filesToWrite(target: Target, plan: Plan): FilesToWrite {
  const paths = plan.files.map(({ path }) => path);
  const replaced = target.isOccupied ? replacedFiles(target.path, paths) : [];
  const hasEnv = target.isOccupied && statsOf(join(target.path, '.env')) !== undefined;
  const files = [...plan.files, ...recordFiles(plan), ...(hasEnv ? [] : envFile(plan))];
  const left = target.isOccupied ? leftBehind(target.path, paths) : { removed: [], kept: [] };
  return { files, replaced, left };
}

function envFile({ files, env }: Plan): FileToWrite[] {
  const example = files.find(({ path }) => path === '.env.example');
  if (!example) return [];
  const content = Buffer.from(drawSecrets(example.content.toString(), env));
  return [{ path: '.env', content, mode: 0o600 }];
}
