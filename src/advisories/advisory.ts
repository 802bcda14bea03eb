import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advisoriesFolder } from '../package-root.js';
import * as z from '../packages/zod.js';

/** A function, because most runs read no advisory. */
function advisorySchema() {
  const text = z.string().check(z.minLength(1));
  const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
  /** A template file with the vulnerability. */
  const concernedFile = z.strictObject({
    /** The template's id: the first emitted path that it ever had. */
    id: text,
    /** The hash of every emitted text that has the vulnerability, in hex. */
    sha256: z.array(sha256).check(z.minLength(1)),
    /** The lines that make up the vulnerability, without indentation: an edited copy is judged by them. */
    lines: z.array(text).check(z.minLength(1)),
  });
  return z.strictObject({
    /** The name of its file. */
    id: z.string().check(z.regex(/^CAS-\d{4}-\d{3}$/)),
    /** The vulnerability in a few words. */
    title: text,
    severity: z.literal(['low', 'moderate', 'high', 'critical']),
    /** The day, `YYYY-MM-DD`. */
    published: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
    /** What an attacker could do, and a workaround for teams that cannot upgrade at once. */
    details: text,
    /** The first version whose templates no longer have it. */
    fixedIn: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
    files: z.array(concernedFile).check(z.minLength(1)),
  });
}

/** A vulnerability of emitted code that was fixed; see docs/advisories.md. */
export type Advisory = z.infer<ReturnType<typeof advisorySchema>>;
export type ConcernedFile = Advisory['files'][number];

/**
 * What an advisory says about each file, by the file's id: templates of several choices may be emitted to one path, with
 * an entry for each.
 */
export function entriesByFile({ files }: Advisory): Map<string, ConcernedFile[]> {
  const entries = new Map<string, ConcernedFile[]>();
  for (const file of files) entries.set(file.id, [...(entries.get(file.id) ?? []), file]);
  return entries;
}

/**
 * Reads all advisories, by id.
 * @throws Error naming the file that does not match the schema, or whose name is not its id
 */
export function readAdvisories(): Advisory[] {
  if (!existsSync(advisoriesFolder)) return [];
  const names = readdirSync(advisoriesFolder).filter((name) => name.endsWith('.json'));
  return names.sort().map(readAdvisory);
}

function readAdvisory(name: string): Advisory {
  const text = readFileSync(join(advisoriesFolder, name), 'utf8');
  const checked = advisorySchema().safeParse(JSON.parse(text));
  if (!checked.success) {
    const problems = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`);
    throw new Error(`advisories/${name}: ${problems.join(', ')}`);
  }
  if (`${checked.data.id}.json` !== name) {
    throw new Error(`advisories/${name} has the id ${checked.data.id}: rename it`);
  }
  return checked.data;
}
