import { join } from 'node:path';
import { recordFiles } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import { replacedFiles } from '../project/replaced-files.js';
import { drawSecrets } from '../project/secrets.js';
import { statsOf } from '../project/stats-of.js';
import type { Target } from '../project/target.js';
import type { FileToWrite } from '../project/write-project.js';

/**
 * Everything that creation writes: the planned files, their record, and `.env` unless there is one already.
 * @throws UserError if something else than a file lies where a file goes
 */
export function filesToWrite(
  target: Target,
  plan: Plan,
): { files: FileToWrite[]; replaced: string[] } {
  const paths = plan.files.map(({ path }) => path);
  const replaced = target.isOccupied ? replacedFiles(target.path, paths) : [];
  const hasEnv = target.isOccupied && statsOf(join(target.path, '.env')) !== undefined;
  const files = [...plan.files, ...recordFiles(plan), ...(hasEnv ? [] : envFile(plan))];
  return { files, replaced };
}

function envFile({ files, env }: Plan): FileToWrite[] {
  const example = files.find(({ path }) => path === '.env.example');
  if (!example) return [];
  const content = Buffer.from(drawSecrets(example.content.toString(), env));
  return [{ path: '.env', content, mode: 0o600 }];
}
