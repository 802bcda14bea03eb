import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Advisory, advisoryFile } from './advisory.js';

/**
 * Reads all advisories of a folder, by id.
 * @throws Error naming the file that does not match `advisoryFile`, or whose name is not its id
 */
export function readAdvisories(folder: string): Advisory[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => readAdvisory(join(folder, name), name));
}

function readAdvisory(path: string, name: string): Advisory {
  const checked = advisoryFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!checked.success) {
    const problems = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`);
    throw new Error(`advisories/${name}: ${problems.join(', ')}`);
  }
  if (`${checked.data.id}.json` !== name) {
    throw new Error(`advisories/${name} is about ${checked.data.id}: name it so`);
  }
  return checked.data;
}
