import { parseArgs } from 'node:util';
import { interruptedExitCode, terminatedExitCode, UserError } from '../src/errors.js';
import { demosOf, drive } from './demo/drive.js';
import { demoFolder, emitService } from './demo/emit-service.js';
import { type DemoService, startDemoService } from './demo/service.js';
import { sayLine, sayTitle } from './demo/show.js';

/**
 * Makes a service with the real command line, installs and starts it, and signs in over HTTP, showing each step. Then it
 * serves until Ctrl-C; with `--once` it ends. Other flags go to `create`.
 */
const { once, flags } = readFlags(process.argv.slice(2));
let service: DemoService | undefined;
let isServing = false;
let isLeaving = false;

process.once('SIGINT', () => void leave(interruptedExitCode));
process.once('SIGTERM', () => void leave(terminatedExitCode));

try {
  sayTitle('Making a service');
  await emitService(flags);
  sayTitle('Starting it');
  const layers = await demosOf(demoFolder);
  service = await startDemoService(demoFolder, layers);
  sayLine(`It listens on ${service.url}.\n`);
  const account = await drive(service, demoFolder, layers);
  if (once) {
    await service.stop();
    sayLine('All as expected.');
  } else {
    await serve(service, account);
  }
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  // Whoever leaves has stopped the service, which makes the step under way fail.
  if (!isLeaving) {
    await service?.stop();
    reportFailure(error);
  }
}

async function serve(running: DemoService, account: object): Promise<void> {
  sayTitle(`Serving on ${running.url} until Ctrl-C`);
  sayLine(`routes   ${running.url}/auth/openapi.json`);
  sayLine(`account  ${JSON.stringify(account)}`);
  sayLine('code     playground/demo');
  sayLine('mails    playground/demo/data/outbox\n');
  isServing = true;
  running.showLog();
  await running.ended;
  if (!isLeaving) throw new UserError('The service has ended by itself.');
}

async function leave(exitCode: number): Promise<void> {
  isLeaving = true;
  await service?.stop();
  // Ctrl-C is the way to end the serving, so it is no failure there.
  process.exit(isServing ? 0 : exitCode);
}

function reportFailure({ message, hint }: UserError): void {
  process.exitCode = 1;
  const log = service?.log().trimEnd();
  if (log) process.stderr.write(`\nThe log of the service:\n${log}\n`);
  process.stderr.write(`\n${[message, hint].filter(Boolean).join('\n')}\n`);
  process.stderr.write(`Everything is kept in ${demoFolder}\n`);
}

function readFlags(argv: string[]): { once: boolean; flags: string[] } {
  const { values, tokens } = parseArgs({
    args: argv,
    options: { once: { type: 'boolean' } },
    strict: false,
    tokens: true,
  });
  const own = tokens.filter((token) => token.kind === 'option' && token.name === 'once');
  return {
    once: values.once === true,
    flags: argv.filter((_, index) => !own.some((token) => token.index === index)),
  };
}
