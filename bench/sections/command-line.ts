import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { nextRelease } from '../../test/corpus/next-release.js';
import { unpackPublished } from '../../test/support/packed.js';
import { atMost, mebibytes, median, milliseconds, type Row, timesOf } from '../report.js';
import { processFolder } from '../server.js';

const scaffoldGoalMs = 40;
const upgradeGoalMs = 200;
const memoryProbe = ['--import', join(processFolder, 'peak-probe.mjs')];
const viteHelp = [join(repositoryFolder, 'node_modules/create-vite/index.js')];
const viteMade = [...viteHelp, 'made', '--template', 'vanilla-ts', '--no-interactive'];

/**
 * The command line as npm publishes it, compared with create-vite: `--help`, a project without installing, and `upgrade
 * --dry-run` of a project with everything to a made-up release. Whole processes, taking turns.
 */
export async function measureCommandLine(rounds: number): Promise<Row[]> {
  const folder = await unpackPublished();
  const ours = join(folder, 'package/bin/create-auth-service.js');
  const next = nextRelease(join(folder, 'next'));
  const made = ['--yes', '--no-install', '--no-git', '--quiet'];
  await execa(process.execPath, [ours, 'old', ...made], { cwd: folder });
  const project = join(folder, 'old');
  const commands = {
    node: { args: ['-e', '0'] },
    help: { args: [ours, '--help'] },
    viteHelp: { args: [...viteHelp, '--help'] },
    scaffold: { args: [ours, 'made', ...made] },
    viteScaffold: { args: viteMade },
    upgrade: { args: [next, 'upgrade', '--dry-run', '--quiet'], cwd: project },
  };
  type Name = keyof typeof commands;
  const times = new Map<Name, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of Object.keys(commands) as Name[]) {
      const { ms } = await run(folder, commands[name]);
      // The first round only warms up.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const ms = (name: Name) => median(times.get(name) ?? []);
  const peak = async ({ args }: { args: string[] }) =>
    mebibytes((await run(folder, { args: [...memoryProbe, ...args] })).bytes);
  const difference = ms('scaffold') - ms('viteScaffold');
  const rows = [
    {
      measure: '--help / create-vite',
      ours: milliseconds(ms('help')),
      against: milliseconds(ms('viteHelp')),
      ...atMost(1, ms('help') / ms('viteHelp'), timesOf),
    },
    {
      measure: 'scaffold / create-vite',
      ours: `${milliseconds(ms('scaffold'))}, peak ${await peak(commands.scaffold)}`,
      against: `${milliseconds(ms('viteScaffold'))}, peak ${await peak(commands.viteScaffold)}`,
      ...atMost(scaffoldGoalMs, difference, (more) => `+ ${milliseconds(more)}`),
    },
    {
      measure: 'upgrade --dry-run / node -e 0',
      ours: timesOf(ms('upgrade') / ms('node')),
      against: milliseconds(ms('node')),
      ...atMost(upgradeGoalMs, ms('upgrade'), milliseconds),
    },
  ];
  await rm(folder, { recursive: true });
  return rows;
}

/**
 * One run, in a fresh folder unless one is named: its time, and with the probe its peak memory. Its output stays
 * until the end: on ext4 without a journal, creating a file takes a tenth of the time if none was removed in the last
 * minutes.
 */
async function run(folder: string, { args, cwd }: { args: string[]; cwd?: string }) {
  const fresh = await mkdtemp(join(folder, 'run-'));
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: cwd ?? fresh,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let peak = '';
  child.stdio[3]?.on('data', (text: Buffer) => {
    peak += text.toString();
  });
  const [code] = await once(child, 'close');
  const ms = performance.now() - start;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
  return { ms, bytes: Number(peak) * 1024 };
}
