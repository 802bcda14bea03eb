import { type Command, InvalidArgumentError } from 'commander';
import type { Catalog } from '../catalog/catalog.js';
import { withOutputFlags } from './output-flags.js';

const examples = `
Examples:
  create-auth-service doctor                     exit code 3 if there is a problem
  create-auth-service doctor --fix               repairs what nobody has to decide
  create-auth-service doctor --no-run --json     for a program, running nothing of the project
`;

export function declareDoctor(root: Command, catalog: Catalog): void {
  withOutputFlags(root.command('doctor'))
    .description('look at all that is known to go wrong with a project')
    .option('--fix', 'renew the checksum of the record, make .env private')
    .option('--no-run', 'do not run the script "check" of the project')
    .option('--wait <seconds>', 'how long "check" may take (default: 30)', secondsIn)
    .addHelpText('after', examples)
    .action(async (flags) => {
      const command = await import('../commands/doctor.js');
      process.exitCode = await command.doctor(catalog, flags);
    });
}

function secondsIn(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number of seconds is expected.');
}
