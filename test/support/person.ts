import type { Files } from './files.js';
import { openScreen } from './pty.js';
import { smallWorld } from './small-world.js';

export const quietly = ['--no-install', '--no-git'];

/** Somebody who calls the command on a terminal, in an empty folder. */
export function person(args: string[] = [], templates?: Files) {
  const { cwd, bin } = smallWorld(templates);
  return { cwd, screen: openScreen([...args, ...quietly], { cwd, bin }) };
}
