import { createHash } from 'node:crypto';
import type { Plan, PlannedFile } from './plan-project.js';

/** The folder that makes later upgrades possible. */
export const recordFolder = '.create-auth-service';

const gitAttributes = `# Made by a machine, compared byte by byte: no conversion of line ends.
* linguist-generated -text
`;

const readme = `# Made by create-auth-service, never edited by hand

\`manifest.json\` says which answers and which version made this project, and what each file was.
\`base/\` holds every file as it was emitted. \`create-auth-service upgrade\` compares it with your files
and with newer templates, so that it can bring fixes without touching your edits.

Commit this folder. Linters, compilers and tests leave it out.
`;

/**
 * The files of the record folder: manifest, pristine copies, and what keeps git's and people's hands off them.
 * Paths are relative to the project.
 */
export function recordFiles(plan: Plan): { path: string; content: Buffer; mode: number }[] {
  const texts = {
    '.gitattributes': gitAttributes,
    'README.md': readme,
    'manifest.json': manifestText(plan),
  };
  return [
    ...Object.entries(texts).map(([name, text]) => ({
      path: `${recordFolder}/${name}`,
      content: Buffer.from(text),
      mode: 0o644,
    })),
    ...plan.files.map(({ path, content, mode }) => ({
      path: `${recordFolder}/base/${path}`,
      content,
      mode,
    })),
  ];
}

/** The manifest: a line per file, sorted, so that git merges two of them line by line. */
export function manifestText({ version, answers, files }: Plan): string {
  const manifest = { schema: 1, version, answers, files: files.map(manifestLine), pending: [] };
  const lines = manifest.files.map((file) => `    ${JSON.stringify(file)}`).join(',\n');
  return `{
  "schema": 1,
  "version": ${JSON.stringify(version)},
  "answers": ${JSON.stringify(answers, null, 2).replaceAll('\n', '\n  ')},
  "files": [
${lines}
  ],
  "pending": [],
  "checksum": "${manifestChecksum(manifest)}"
}
`;
}

/** SHA-256 of the manifest without its checksum, as compact JSON: it shows edits by hand, not a formatter's. */
export function manifestChecksum(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

function manifestLine({ id, path, content, mode, kind, owner, layers }: PlannedFile) {
  return {
    id,
    path,
    sha256: createHash('sha256').update(content).digest('hex'),
    blob: gitBlobId(content),
    mode: mode.toString(8),
    kind,
    owner,
    layers,
  };
}

/** The id under which git stores the content (SHA-1 repositories). */
export function gitBlobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
