import type { Command } from 'commander';

/** The flags of every command that changes a project. */
export function withChangeFlags(command: Command): Command {
  return command
    .option('--dry-run', 'show what would be changed')
    .option('--diff', 'with --dry-run: as a patch')
    .option('--allow-dirty', 'go on although something is not committed')
    .option('--commit', 'commit what was changed');
}
