import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import type { DocumentName } from '../../src/documents.js';

const schemas = new Map<DocumentName, ZodType>();

/**
 * Checks what the command has printed with `--json` against `docs/output.schema.json`.
 * @throws ZodError if it does not match
 */
export async function checkJsonOutput(args: string[], stdout: string): Promise<void> {
  const document: unknown = JSON.parse(stdout);
  const isError = typeof document === 'object' && document !== null && 'error' in document;
  const schema = await schemaOf(isError ? 'error' : documentName(args));
  schema.parse(document, { reportInput: true });
}

function documentName(args: string[]): DocumentName {
  const has = (...words: string[]) => words.some((word) => args.includes(word));
  if (has('list')) return 'list';
  if (has('doctor')) return 'doctor';
  if (has('diff')) return has('--upstream') ? 'diffUpstream' : 'diff';
  if (has('--continue')) return 'upgradeContinue';
  if (has('--abort')) return 'upgradeAbort';
  return has('add', 'remove', 'change', 'upgrade', 'regenerate') ? 'change' : 'create';
}

/** Loaded on demand: most tests need no schema, and loading the schema library takes longer than those tests. */
async function schemaOf(name: DocumentName): Promise<ZodType> {
  const known = schemas.get(name);
  if (known) return known;
  const z = await import('zod');
  const file = join(repositoryFolder, 'docs/output.schema.json');
  const { $defs } = JSON.parse(readFileSync(file, 'utf8'));
  const schema = z.fromJSONSchema($defs[name]);
  schemas.set(name, schema);
  return schema;
}
