import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileToWrite } from './write-project.js';

/** The files as a tree of folders, one name a line. The paths are sorted. */
export function treeLines(paths: string[]): string[] {
  let before: string[] = [];
  return paths.flatMap((path) => {
    const steps = path.split('/');
    const shared = steps.findIndex((step, depth) => step !== before[depth]);
    before = steps;
    return steps.slice(shared).map((step, position) => {
      const depth = shared + position;
      return `${'  '.repeat(depth)}${step}${depth < steps.length - 1 ? '/' : ''}`;
    });
  });
}

/** What writing the files would change in the folder, as a patch that `git apply` takes. */
export function patchOf(folder: string, files: FileToWrite[]): string {
  return files.map((file) => filePatch(folder, file)).join('');
}

function filePatch(folder: string, { path, content, mode }: FileToWrite): string {
  const there = join(folder, path);
  const before = existsSync(there) ? readFileSync(there) : undefined;
  if (before?.equals(content)) return '';
  const head = `diff --git a/${path} b/${path}\n`;
  const created = before ? '' : `new file mode 100${mode.toString(8)}\n`;
  if (content.includes(0) || before?.includes(0)) return `${head}${created}Binary files differ\n`;
  const names = `--- ${before ? `a/${path}` : '/dev/null'}\n+++ b/${path}\n`;
  return head + created + names + hunk(lines(before), lines(content));
}

/** One hunk from the first line that differs to the last. */
function hunk(before: string[], after: string[]): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = Math.max(0, start - 3);
  const to = Math.max(0, end - 3);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [
    `@@ -${range(from, before.length - to)} +${range(from, after.length - to)} @@\n`,
    ...after.slice(from, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...after.slice(after.length - end, after.length - to).map((line) => ` ${line}`),
  ].join('');
}

function range(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}

/** Lines with their ends; a last one without says so as diff does. */
function lines(content: Buffer | undefined): string[] {
  const text = content?.toString() ?? '';
  const all = text.split(/(?<=\n)/).filter((line) => line !== '');
  return all.map((line) =>
    line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`,
  );
}
