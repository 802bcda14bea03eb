import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IBufferCell, Terminal } from '@xterm/headless';
import { keys, openScreen } from '../test/support/pty.js';
import { commandFile, repositoryFolder } from './matrix/child.js';

/**
 * `npm run session`: runs the command on a real terminal, takes every default, and draws what the screen shows as
 * docs/session.svg: each question for a while, then the end. Readers who prefer reduced motion see only the end.
 */
const columns = 96;
// Installing takes as long as the network: minutes that nobody would watch.
const flags = ['--no-install'];
const seconds = { question: 2, end: 10 };
const cell = { width: 8.4, height: 18, left: 22, top: 54 };

// Colors of a terminal's palette.
const colors = new Map([
  [1, 'red'],
  [2, 'green'],
  [3, 'yellow'],
  [4, 'cyan'],
  [6, 'cyan'],
  [8, 'grey'],
]);

const cwd = mkdtempSync(join(tmpdir(), 'create-auth-service-session-'));
const screen = openScreen(flags, { cwd, bin: commandFile, columns });
const frames: string[][] = [];
let seen = '';
while (!seen.includes('Create it?')) {
  await screen.until(() => screen.text() !== seen, 'the next question');
  await screen.quiet();
  seen = screen.text();
  frames.push(rowsOf(screen.terminal));
  screen.write(keys.enter);
}
const code = await screen.exitCode;
if (code !== 0) throw new Error(`it ended with ${code}:\n${screen.text()}`);
writeFileSync(
  join(repositoryFolder, 'docs/session.svg'),
  picture([...frames, rowsOf(screen.terminal)]),
);
rmSync(cwd, { recursive: true });

/** The frames of the terminal as an SVG animation that follows the reader's light or dark scheme. */
function picture(frames: string[][]): string {
  const width = Math.ceil(columns * cell.width + 2 * cell.left);
  const height = cell.top + (Math.max(...frames.map((rows) => rows.length)) + 1) * cell.height;
  const prompt = `${drawn('$', 0, 0, 'green')}\n${drawn(['npx create-auth-service', ...flags].join(' '), 2, 0, '')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>create-auth-service asks, makes a project and says what is next</title>
<style>
svg { --back: #fbfbfc; --edge: #d0d5dd; --text: #24292f; --grey: #656d76; --green: #1a7f37; --cyan: #0b6e8f; --yellow: #8a6100; --red: #c0262d }
@media (prefers-color-scheme: dark) { svg { --back: #16181d; --edge: #3a3f4b; --text: #d7dae0; --grey: #9198a4; --green: #8fce72; --cyan: #6cc7d9; --yellow: #e8c46b; --red: #f07178 } }
rect { fill: var(--back); stroke: var(--edge) }
text { fill: var(--text); white-space: pre; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
.grey { fill: var(--grey) } .green { fill: var(--green) } .cyan { fill: var(--cyan) } .yellow { fill: var(--yellow) } .red { fill: var(--red) }
${motion(frames.length)}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<circle cx="24" cy="22" r="6" fill="#f07178"/><circle cx="44" cy="22" r="6" fill="#e8c46b"/><circle cx="64" cy="22" r="6" fill="#8fce72"/>
${prompt}
${frames.map((rows, at) => `<g id="f${at}">\n${rows.join('\n')}\n</g>`).join('\n')}
</svg>
`;
}

/** The CSS rules that show one frame after the other. */
function motion(count: number): string {
  const total = (count - 1) * seconds.question + seconds.end;
  const percent = (frame: number) => ((frame * seconds.question * 100) / total).toFixed(2);
  const rules = Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const end = isLast ? '' : ` ${percent(at + 1)}% { visibility: hidden }`;
    const still = isLast ? '' : `\n#f${at} { visibility: hidden }`;
    return `@keyframes f${at} { 0% { visibility: hidden } ${percent(at)}% { visibility: visible }${end} }
@media (prefers-reduced-motion: no-preference) { #f${at} { animation: f${at} ${total}s step-end infinite } }${still}`;
  });
  return rules.join('\n');
}

/** The lines of the screen, from the top to the last that has text. */
function rowsOf({ buffer: { active } }: Terminal): string[] {
  const rows: string[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const length = line?.translateToString(true).length ?? 0;
    const runs: { text: string; start: number; color: string }[] = [];
    for (let column = 0; column < length; column += 1) {
      const at = line?.getCell(column);
      if (!at) continue;
      const [text, color] = [at.getChars() || ' ', colorOf(at)];
      const last = runs.at(-1);
      if (last && (last.color === color || text === ' ')) last.text += text;
      else runs.push({ text, start: column, color });
    }
    rows.push(runs.map(({ text, start, color }) => drawn(text, start, row + 1, color)).join('\n'));
  }
  while (rows.at(-1) === '') rows.pop();
  return rows;
}

function colorOf(at: IBufferCell): string {
  if (at.isDim()) return 'grey';
  return at.isFgPalette() ? (colors.get(at.getFgColor()) ?? '') : '';
}

function drawn(text: string, column: number, row: number, color: string): string {
  const start = column + (text.length - text.trimStart().length);
  const shown = text.trim();
  if (shown === '') return '';
  const x = (cell.left + start * cell.width).toFixed(1);
  const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const fill = color === '' ? '' : ` class="${color}"`;
  return `<text x="${x}" y="${cell.top + row * cell.height}" textLength="${(shown.length * cell.width).toFixed(1)}"${fill}>${escaped}</text>`;
}
