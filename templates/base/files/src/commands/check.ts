import type { Finding } from '../feature.js';
import { loadEnvFile } from '../process/environment.js';
import { print, runCommand } from './command.js';
import { checkEnvironment } from './findings.js';

const USAGE = `Usage: npm run check [-- --json]

Checks what the service needs to start: variables, database, migrations, rows. Changes nothing.
Exits with 1 if the service would not start, or would not be ready.`;

await runCommand(async ([flag, ...rest]) => {
  if (flag === '--help' || flag === '-h') return print(USAGE);
  if (rest.length > 0 || (flag !== undefined && flag !== '--json')) {
    throw new Error(`Unknown flag.\n\n${USAGE}`);
  }
  loadEnvFile(process.env);
  const findings = await checkEnvironment(process.env);
  if (findings.some(({ stops }) => stops)) process.exitCode = 1;
  print(flag === '--json' ? JSON.stringify({ findings }) : findings.map(line).join('\n'));
});

function line({ about, stops, isWarning, message }: Finding): string {
  const verdict = (stops && 'problem') || (isWarning && 'warning') || 'ok';
  return `${verdict.padEnd('problem'.length)}  ${about.padEnd('configuration'.length)}  ${message}`;
}
