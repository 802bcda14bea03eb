import type { Terminal } from '../terminal.js';

/** A patch in the colors that people know from git. */
export function paintedPatch(patch: string, { paint }: Terminal): string {
  return patch
    .split('\n')
    .map((line) => {
      const style = styleOf(line);
      return style ? paint(style, line) : line;
    })
    .join('\n');
}

function styleOf(line: string): Parameters<Terminal['paint']>[0] | undefined {
  if (/^(diff --git|---|\+\+\+|(old|new|deleted|new file) mode) /.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return undefined;
}
