import { filesToWrite } from '../../../src/commands/create-files.js';
import { planFromTemplates } from '../../../src/plan/plan-project.js';
import { differing, fingerprint, fingerprintOf, projectName } from '../emit.js';
import type { Emitted } from '../standard.js';

/** The same answers give the same bytes and modes, here from the sources; only the secrets in `.env` are generated anew. */
export async function isSameAgain(emitted: Emitted): Promise<string | undefined> {
  const { catalog, combination, folder } = emitted;
  const plan = planFromTemplates(catalog, { ...combination, name: projectName });
  const once = fingerprint(folder);
  const again = fingerprintOf(filesToWrite(plan));
  const differences = differing(once, again).filter((path) => path !== '.env');
  if (differences.length > 0) return `not the same when emitted again: ${differences.join(', ')}`;
  if (once['.env'] === again['.env']) return 'the secrets of two emissions are the same';
  return once['.env']?.startsWith('600 ') ? undefined : '.env can be read by others';
}
