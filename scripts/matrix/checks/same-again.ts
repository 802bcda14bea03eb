import { answersSchema } from '../../../src/answers/schema.js';
import { filesToWrite } from '../../../src/commands/create-files.js';
import { planFromTemplates } from '../../../src/plan/plan-from-templates.js';
import { differing, fingerprint, fingerprintOf, projectName, runCreate } from '../emit.js';
import type { Emitted } from './check.js';

/** The same answers give the same bytes and modes, here from the sources; only the secrets in `.env` are drawn anew. */
export async function isSameAgain(emitted: Emitted): Promise<string | undefined> {
  const { catalog, combination, folder } = emitted;
  const answers = answersSchema(catalog).parse({ ...combination, name: projectName });
  const plan = await planFromTemplates(catalog, answers);
  const { files } = filesToWrite({ path: folder, exists: false, isOccupied: false }, plan);
  const once = fingerprint(folder);
  const again = fingerprintOf(files);
  const differences = differing(once, again).filter((path) => path !== '.env');
  if (differences.length > 0) return `not the same when emitted again: ${differences.join(', ')}`;
  if (once['.env'] === again['.env']) return 'the secrets of two emissions are the same';
  return once['.env']?.startsWith('600 ') ? undefined : '.env can be read by others';
}

/** A second `create` into the folder is refused with exit 1 and leaves every byte as it was. */
export async function isNotOverwritten({
  combination,
  folder,
}: Emitted): Promise<string | undefined> {
  const before = fingerprint(folder);
  const { exitCode, text } = await runCreate(folder, combination);
  const touched = differing(before, fingerprint(folder));
  if (touched.length > 0) return `a second create changed ${touched.join(', ')}`;
  return exitCode === 1 ? undefined : `a second create ended with exit code ${exitCode}\n${text}`;
}
