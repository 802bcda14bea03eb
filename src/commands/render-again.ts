import { checkAll } from '../answers/check.js';
import { answersSchema } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { generatorVersion } from '../package-root.js';
import type { Manifest } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-from-templates.js';

/**
 * Emits the project's files as they were emitted, by id; nothing if another version did that.
 * @throws UserError if these answers do not exist in this version: somebody has edited them
 */
export async function renderAgain(
  catalog: Catalog,
  { version, answers }: Manifest,
): Promise<ReadonlyMap<string, Buffer>> {
  if (version !== generatorVersion()) return new Map();
  const plan = await planFromTemplates(catalog, checkAll(answersSchema(catalog), answers));
  return new Map(plan.files.map(({ id, content }) => [id, content]));
}
