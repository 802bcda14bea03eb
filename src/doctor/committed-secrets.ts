import { UserError } from '../errors.js';
import { readProjectFile, statsWithin } from '../project/read-file.js';
import type { DotEnv } from './read-dot-env.js';

// What is longer is no text that somebody wrote a secret into.
const longestFile = 1_000_000;
const shortestSecret = 16;

/** Which of `.env`'s secrets stand in files that git keeps: `SECRET in compose.yaml`. No value is given away. */
export function committedSecrets(root: string, tracked: string[], { values, variables }: DotEnv) {
  const secrets = variables.flatMap(({ name, isSecret }) => {
    const value = values?.[name]?.trim() ?? '';
    return isSecret && value.length >= shortestSecret ? [{ name, value }] : [];
  });
  if (secrets.length === 0) return [];
  return tracked.flatMap((path) => {
    const content = contentOf(root, path);
    return secrets
      .filter(({ value }) => content?.includes(value))
      .map(({ name }) => `${name} in ${path}`);
  });
}

function contentOf(root: string, path: string): Buffer | undefined {
  try {
    const stats = statsWithin(root, path);
    if (!stats?.isFile() || stats.size > longestFile) return undefined;
    return readProjectFile(root, path)?.content;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
