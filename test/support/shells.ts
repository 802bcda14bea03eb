import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanEnv, scratchFolder } from './cli.js';
import { openProgram } from './pty.js';
import { smallWorld } from './small-world.js';

const program = 'create-auth-service';

/** What `completion` prints for a shell. */
export async function scriptFor(shell: string): Promise<string> {
  const { exitCode, stdout, stderr } = await smallWorld().run(['completion', shell]);
  if (exitCode !== 0 || stderr !== '') throw new Error(stderr);
  return stdout;
}

/** A folder with a file and a folder in it, to test the completion of paths. */
function folderWithPaths(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'answers.json'), '{}');
  mkdirSync(join(folder, 'services'));
  return folder;
}

/** Writes the script where its first lines say that it goes. @returns the home of a person who has done so */
function homeWith(path: string, script: string): string {
  const home = scratchFolder();
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), script);
  return home;
}

/** What fish proposes after what was typed. */
export async function proposedByFish(typed: string): Promise<string[]> {
  const home = homeWith(`.config/fish/completions/${program}.fish`, await scriptFor('fish'));
  // fish completes only for programs that exist.
  writeFileSync(join(home, program), '#!/bin/sh\n', { mode: 0o755 });
  const { PATH = '', ...others } = cleanEnv();
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: home };
  const printed = execFileSync('fish', ['-c', `complete -C '${program} ${typed}'`], {
    cwd: folderWithPaths(),
    env: { ...others, ...own, PATH: `${home}:${PATH}` },
    encoding: 'utf8',
  });
  return printed.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

const empty = '\u0015\u000c';
const ask = '\u0018';
const tab = '\t';

/** A zsh on a terminal that has loaded the script as its first lines say. */
export async function openZsh() {
  const home = homeWith(`.zfunc/_${program}`, await scriptFor('zsh'));
  const setUp = [
    'fpath=(~/.zfunc $fpath)',
    'autoload -U compinit && compinit -D -u',
    "bindkey '^X' list-choices",
    'LISTMAX=0',
    "PS1='> '",
  ];
  writeFileSync(join(home, '.zshrc'), `${setUp.join('\n')}\n`);
  const env = { HOME: home, ZDOTDIR: home };
  const screen = openProgram('zsh', ['--no-globalrcs', '-i'], { cwd: folderWithPaths(), env });
  await screen.until(() => screen.text().startsWith('>'), 'the prompt');
  const press = async (typed: string, key: string) => {
    screen.write(empty);
    await screen.until(() => screen.text().trim() === '>', 'an empty line');
    const line = `> ${program} ${typed}`;
    screen.write(line.slice(2));
    await screen.until(() => screen.text() === line.trimEnd(), line);
    screen.write(key);
    await screen.until(() => screen.text() !== line.trimEnd(), 'an answer');
    await screen.quiet();
    return screen.text().split('\n');
  };
  return {
    /** What it lists below what was typed. */
    async proposals(typed: string): Promise<string[]> {
      const [, ...below] = await press(typed, ask);
      return below.flatMap((line) =>
        line.includes(' -- ')
          ? (line.split(/\s+-- /)[0] ?? '')
          : line.split(/\s+/).filter((word) => word !== ''),
      );
    },
    /** The line after pressing Tab. */
    async completed(typed: string): Promise<string> {
      const [line = ''] = await press(typed, tab);
      return line.slice(`> ${program} `.length);
    },
    async leave(): Promise<void> {
      screen.write(`${empty}exit\r`);
      await screen.exitCode;
    },
  };
}
