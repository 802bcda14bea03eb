import type { Run } from './screen.js';

const cell = { width: 8.4, height: 18 };
const margin = { x: 22, top: 54, bottom: 22 };
const fontSize = 14;
const background = '#16181d';
const foreground = '#d7dae0';

/** The sixteen colors of a terminal, chosen to be read on the dark background. */
const palette = [
  '#16181d',
  '#f07178',
  '#8fce72',
  '#e8c46b',
  '#6fa8f5',
  '#c792ea',
  '#56c5d0',
  '#d7dae0',
  '#7d8490',
  '#ff8b92',
  '#a9e08c',
  '#ffd98a',
  '#8dbbff',
  '#ddb0f6',
  '#7fdbe4',
  '#ffffff',
];

/** The screen as an SVG picture. It brings its own background, so it is readable on any page. */
export function screenSvg(lines: Run[][], title: string): string {
  const columns = Math.max(...lines.flat().map(({ column, text }) => column + [...text].length));
  const width = Math.ceil(columns * cell.width + 2 * margin.x);
  const height = Math.ceil(lines.length * cell.height + margin.top + margin.bottom);
  const texts = lines.flatMap((runs, row) => runs.map((run) => textOf(run, row)));
  const buttons = ['#f07178', '#e8c46b', '#8fce72'].map(
    (color, position) => `<circle cx="${24 + 20 * position}" cy="22" r="6" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="#3a3f4b"/>
${buttons.join('\n')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="${foreground}">
${texts.join('\n')}
</g>
</svg>
`;
}

/** `textLength` keeps the columns straight whatever font the reader has. */
function textOf({ column, text, color, isBold, isDim, isInverse }: Run, row: number): string {
  const x = round(margin.x + column * cell.width);
  const y = margin.top + row * cell.height;
  const length = round([...text].length * cell.width);
  const fill = color === undefined ? foreground : (palette[color] ?? foreground);
  const looks = [
    fill !== foreground && !isInverse ? ` fill="${fill}"` : '',
    isInverse ? ` fill="${background}"` : '',
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' opacity="0.6"' : '',
  ].join('');
  const block = isInverse
    ? `<rect x="${x}" y="${round(y - fontSize)}" width="${length}" height="${cell.height}" fill="${fill}"/>`
    : '';
  return `${block}<text x="${x}" y="${round(y)}" textLength="${length}"${looks}>${escaped(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** With blanks that do not collapse. */
function escaped(text: string): string {
  const entities = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return entities.replaceAll(' ', '\u00a0');
}
