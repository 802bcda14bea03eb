import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { processFolder, root, workFolder } from '../places.js';
import { withPublished } from '../published.js';
import { mebibytes, milliseconds, type Row } from '../report.js';
import { median } from '../statistics.js';

const SCAFFOLD_GOAL_MS = 40;
const PROBE = ['--import', join(processFolder, 'peak-probe.mjs')];
const PEER = join(root, 'node_modules/create-vite/index.js');

interface Command {
  script: string;
  args: string[];
}

/** The command line beside create-vite: `--help`, and a project without installing; whole processes, in turns. */
export function measureCommandLine(rounds: number): Promise<Row[]> {
  return withPublished((script) => measure(script, rounds));
}

async function measure(script: string, rounds: number): Promise<Row[]> {
  const help = await race({ script, args: ['--help'] }, { script: PEER, args: ['--help'] }, rounds);
  const scaffold = await race(
    { script, args: ['made', '--yes', '--no-install', '--no-git'] },
    { script: PEER, args: ['made', '--template', 'vanilla-ts', '--no-interactive'] },
    rounds,
  );
  const difference = scaffold.ours.ms - scaffold.peer.ms;
  return [
    {
      measure: '--help / create-vite',
      ours: milliseconds(help.ours.ms),
      against: milliseconds(help.peer.ms),
      result: `${(help.ours.ms / help.peer.ms).toFixed(2)} ×`,
      goal: '≤ 1 ×',
      isMet: help.ours.ms <= help.peer.ms,
    },
    {
      measure: 'scaffold / create-vite',
      ours: `${milliseconds(scaffold.ours.ms)}, peak ${mebibytes(scaffold.ours.bytes)}`,
      against: `${milliseconds(scaffold.peer.ms)}, peak ${mebibytes(scaffold.peer.bytes)}`,
      result: `+ ${milliseconds(difference)}`,
      goal: `≤ + ${milliseconds(SCAFFOLD_GOAL_MS)}`,
      isMet: difference <= SCAFFOLD_GOAL_MS,
    },
    {
      measure: 'tarball',
      ours: `${((await tarballBytes()) / 1000).toFixed(0)} kB, 1 package`,
      against: '',
      result: '',
      goal: '',
    },
  ];
}

async function race(ours: Command, peer: Command, rounds: number) {
  // Memory first, and apart: what tells it would be measured along with the time. It also warms up.
  const bytes = { ours: (await run(ours, PROBE)).bytes, peer: (await run(peer, PROBE)).bytes };
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.ours.push((await run(ours)).ms);
    times.peer.push((await run(peer)).ms);
  }
  return {
    ours: { ms: median(times.ours), bytes: bytes.ours },
    peer: { ms: median(times.peer), bytes: bytes.peer },
  };
}

/** One run in a fresh folder: its time, and with the probe its peak memory. */
async function run({ script, args }: Command, probe: string[] = []) {
  await mkdir(workFolder, { recursive: true });
  const cwd = await mkdtemp(join(workFolder, 'scaffold-'));
  const start = performance.now();
  const child = spawn(process.execPath, [...probe, script, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let peak = '';
  child.stdio[3]?.on('data', (text: Buffer) => {
    peak += text.toString();
  });
  const [code] = await once(child, 'close');
  const ms = performance.now() - start;
  await rm(cwd, { recursive: true });
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}.`);
  return { ms, bytes: Number(peak) * 1024 };
}

async function tarballBytes(): Promise<number> {
  const folder = await mkdtemp(join(workFolder, 'pack-'));
  const { stdout } = await execa(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root },
  );
  const [{ filename }] = JSON.parse(stdout);
  const { size } = await stat(join(folder, filename));
  await rm(folder, { recursive: true });
  return size;
}
