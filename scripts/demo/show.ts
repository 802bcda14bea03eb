import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const lineWidth = 100;

export function sayLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function sayTitle(title: string): void {
  sayLine(`\n${paint('bold', title)}`);
}

/** A request as people write it down. */
export function sayRequest(method: string, path: string, body: unknown): void {
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  sayLine(`  ${paint('cyan', `${method} ${path}`)}${sent}`);
}

/** An answer: the status, the body, and which cookies it sets. */
export function sayAnswer(status: number, body: unknown, cookies: string[]): void {
  const color: Style = status < 300 ? 'green' : 'yellow';
  sayLine(`  ${paint(color, String(status))} ${bodyText(body)}`);
  for (const cookie of cookies) sayLine(`      ${paint('dim', cookie)}`);
}

export function sayRemark(remark: string): void {
  sayLine(`  ${paint('dim', remark)}`);
}

/** On one line if it fits. */
function bodyText(body: unknown): string {
  if (body === undefined) return '';
  const line = JSON.stringify(body);
  return line.length <= lineWidth
    ? line
    : JSON.stringify(body, null, 2).replaceAll('\n', '\n      ');
}

function paint(style: Style, text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
}
