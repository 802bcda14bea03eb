import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A template file with the weakness. */
const concernedFile = z.strictObject({
  /** The template's id: the first emitted path that it ever had. */
  id: text,
  /** The hash of every emitted text that has the weakness, in hex. */
  sha256: z.array(sha256).check(z.minLength(1)),
  /** The lines that make up the weakness, without indentation: an edited copy is judged by them. */
  lines: z.array(text).check(z.minLength(1)),
});

/** A weakness of emitted code that was fixed; see docs/advisories.md. */
export const advisoryFile = z.strictObject({
  /** The name of its file. */
  id: z.string().check(z.regex(/^CAS-\d{4}-\d{3}$/)),
  /** What is weak, in a few words. */
  title: text,
  severity: z.enum(['low', 'moderate', 'high', 'critical']),
  /** The day, `YYYY-MM-DD`. */
  published: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  /** What somebody could do with it, and what a team that cannot upgrade at once can do. */
  details: text,
  /** The first version whose templates no longer have it. */
  fixedIn: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  files: z.array(concernedFile).check(z.minLength(1)),
});

export type Advisory = z.infer<typeof advisoryFile>;
export type ConcernedFile = Advisory['files'][number];
