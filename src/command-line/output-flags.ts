import type { Command } from 'commander';

/** The flags that every command takes about what it prints. */
export function withOutputFlags(command: Command): Command {
  return command
    .option('--json', 'print one JSON document, all else on stderr')
    .option('--quiet', 'print errors only')
    .option('--verbose', 'print more')
    .option('--no-color', 'print without colors');
}
