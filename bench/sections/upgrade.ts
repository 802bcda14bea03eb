import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { unpackRelease } from '../../scripts/release/package-archive.js';
import { root, workFolder } from '../places.js';
import { withPublished } from '../published.js';
import { milliseconds, type Row } from '../report.js';
import { median } from '../statistics.js';

const GOAL_MS = 200;
const RELEASE = '0.1.0';
const PEER = join(root, 'node_modules/create-vite/index.js');

/**
 * `upgrade --dry-run` of a project with everything that release 0.1.0 made: whole processes, in turns with a Node that does
 * nothing and with create-vite making its small project.
 */
export function measureUpgrade(rounds: number): Promise<Row[]> {
  return withPublished((command) => measure(command, rounds));
}

async function measure(command: string, rounds: number): Promise<Row[]> {
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, 'upgrade-'));
  const released = unpackRelease(RELEASE, join(folder, 'released'));
  const made = ['my-auth', '--yes', '--no-install', '--no-git', '--quiet'];
  await execa(process.execPath, [released, ...made], { cwd: folder });
  const project = join(folder, 'my-auth');
  const times: Record<'ours' | 'node' | 'peer', number[]> = { ours: [], node: [], peer: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const peerArgs = [PEER, `vite-${round}`, '--template', 'vanilla-ts', '--no-interactive'];
    times.ours.push(await timeOf(project, [command, 'upgrade', '--dry-run', '--quiet']));
    times.node.push(await timeOf(project, ['-e', '0']));
    times.peer.push(await timeOf(folder, peerArgs));
  }
  await rm(folder, { recursive: true });
  // The first round has only warmed up.
  const [ours, node, peer] = [times.ours, times.node, times.peer].map((all) =>
    median(all.slice(1)),
  );
  return [
    {
      measure: 'upgrade --dry-run / node -e 0, create-vite',
      ours: milliseconds(ours ?? 0),
      against: `${milliseconds(node ?? 0)}, ${milliseconds(peer ?? 0)}`,
      result: `${((ours ?? 0) / (node ?? 1)).toFixed(2)} × node`,
      goal: `< ${milliseconds(GOAL_MS)}`,
      isMet: (ours ?? GOAL_MS) < GOAL_MS,
    },
  ];
}

async function timeOf(cwd: string, args: string[]): Promise<number> {
  const start = performance.now();
  await execa(process.execPath, args, { cwd });
  return performance.now() - start;
}
