import { describe, expect, test } from 'vitest';
import { readFiles } from './support/files.js';
import { person } from './support/person.js';
import { keys } from './support/pty.js';

const { enter, space, interrupt, leave, end } = keys;

describe('leaving at a question', () => {
  test.each([
    ['Ctrl-C', interrupt],
    ['Escape', leave],
    ['Ctrl-D', end],
  ])('%s at a question leaves nothing and exits 130', async (_, key) => {
    const { cwd, screen } = person();
    await screen.type('Where should the project go?', enter);
    await screen.type('Which HTTP framework?', key);
    expect(await screen.exitCode).toBe(130);
    expect(screen.text()).toContain('Cancelled. Nothing was written.');
    expect(screen.text().match(/Cancelled/g)).toHaveLength(1);
    expect(readFiles(cwd)).toEqual({});
  });

  test('Ctrl-D leaves any kind of question, typed or marked', async () => {
    const text = person().screen;
    await text.type('Where should the project go?', 'abc', end);
    expect(await text.exitCode).toBe(130);
    const several = person(['made', '--framework', 'plain', '--database', 'lake']).screen;
    await several.type('How do people sign in?', space, end);
    expect(await several.exitCode).toBe(130);
    expect(several.text().match(/Cancelled. Nothing was written./g)).toHaveLength(1);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s leaves a terminal with its cursor',
    async (signal) => {
      const { screen } = person();
      await screen.type('Where should the project go?');
      screen.kill(signal);
      await screen.exitCode;
      expect(screen.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThan(
        screen.raw().lastIndexOf('\u001b[?25l'),
      );
    },
  );
});
