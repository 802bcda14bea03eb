import * as z from 'zod/mini';
import { UserError } from '../errors.js';
import { type Manifest, manifestChecksum, manifestPath, recordFolder } from '../plan/manifest.js';
import { leavesProject } from './leaves-project.js';
import { fileOf, wrongKey } from './manifest-line.js';

export type { Manifest, ManifestFile } from '../plan/manifest.js';

const path = z.string().check(z.refine((text) => !leavesProject(text)));

const files = z.pipe(
  z.array(z.custom<object>(isRecord)),
  z.transform((lines, { issues }) => {
    for (const [index, line] of lines.entries()) {
      const key = wrongKey(line);
      if (key !== undefined) issues.push({ code: 'custom', path: [index, key], input: line });
    }
    return lines.map(fileOf);
  }),
);

const manifestFile = z.object({
  schema: z.literal(1),
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)),
  answers: z.record(z.string(), z.unknown()),
  files,
  pending: z.array(path),
  checksum: z.string(),
});

/**
 * Reads `manifest.json`.
 * @returns it, and whether its checksum fits: if not, somebody has edited it, or git has merged two of them
 * @throws UserError if it cannot be relied on: no JSON, of a newer schema, a path that leads out of the project
 */
export function readManifest(text: string): { manifest: Manifest; isIntact: boolean } {
  const value = parsed(text);
  if (isRecord(value) && typeof value.schema === 'number' && value.schema > 1) {
    throw new UserError(
      `${manifestPath} has schema ${value.schema}; this version reads schema 1.`,
      1,
      'A newer create-auth-service wrote it. Run that one: npx create-auth-service@latest',
    );
  }
  const checked = manifestFile.safeParse(value);
  if (!checked.success) throw damaged(value, checked.error);
  refuseTwice(checked.data.files.map((each) => each.path));
  const { checksum, ...rest } = value as Record<string, unknown>;
  return { manifest: checked.data, isIntact: manifestChecksum(rest) === checksum };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isMerged = /^<{7} /m.test(text);
    throw new UserError(
      `${manifestPath} ${isMerged ? "has git's conflict markers in it" : 'is not JSON'}.`,
      1,
      isMerged ? mergeHint : restoreHint,
    );
  }
}

// What the other branch did is found done then, and only recorded.
const mergeHint = `Take the record of one side: git restore --source=HEAD --staged --worktree ${recordFolder}
When all else is merged, do once more what the other side did: create-auth-service upgrade, add, remove`;

const restoreHint = 'Take it from the last commit: it is never edited by hand.';

function damaged(value: unknown, { issues: [issue] }: z.core.$ZodError): UserError {
  const at = issue?.path ?? [];
  const found = at.reduce<unknown>(
    (inner, step) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, step) : inner),
    value,
  );
  const isPath = ['path', 'id', 'movedTo'].includes(String(at.at(-1))) || at[0] === 'pending';
  const message =
    isPath && typeof found === 'string'
      ? `${manifestPath} names ${JSON.stringify(found)}, which is no file of the project.`
      : `${manifestPath} is damaged at ${at.join('.') || 'its top'}.`;
  return new UserError(message, 1, restoreHint);
}

function refuseTwice(paths: string[]): void {
  const twice = paths.find((each, index) => paths.indexOf(each) !== index);
  if (twice === undefined) return;
  throw new UserError(`${manifestPath} names ${twice} twice.`, 1, restoreHint);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
