import type { Catalog } from '../catalog/catalog.js';
import { checkProject } from '../doctor/check-project.js';
import { whyUntrusted, withoutBase } from '../doctor/check-record.js';
import type { Finding } from '../doctor/finding.js';
import { foundExitCode } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { lockProject } from '../project/changes/lock.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import { withProgress } from '../project/progress.js';
import { makeEnvPrivate, type Renewed, renewManifest, renewPack } from '../project/repair.js';
import { type OutputFlags, openTerminal, type Terminal } from '../terminal.js';

interface DoctorFlags extends OutputFlags {
  fix?: boolean;
  /** False after `--no-run`. */
  run?: boolean;
  /** Seconds. */
  wait?: number;
}

// A start takes seconds; a database that does not answer would take minutes.
const secondsForService = 30;

/**
 * Looks for all known problems of a project; with `--fix`, repairs those that need no decision.
 * @returns the exit code: 3 if there is a problem
 * @throws UserError if there is no project here
 */
export async function doctor(catalog: Catalog, flags: DoctorFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const fixed = flags.fix ? await repair(catalog, findProject(process.cwd())) : [];
  const project = openProject(process.cwd());
  const asked = { isServiceAsked: flags.run !== false, seconds: flags.wait ?? secondsForService };
  const findings = await withProgress(terminal, 'Checking', () =>
    checkProject(catalog, project, asked),
  );
  reportFindings(project, findings, fixed, terminal);
  return findings.some(({ severity }) => severity === 'problem') ? foundExitCode : 0;
}

/**
 * @returns what was repaired, a sentence each
 * @throws UserError if another run is changing the project
 */
async function repair(catalog: Catalog, root: string): Promise<string[]> {
  const lock = lockProject(root);
  try {
    return await repairRecord(catalog, openProject(root));
  } finally {
    lock.release();
  }
}

async function repairRecord(catalog: Catalog, project: Project): Promise<string[]> {
  const fixed: string[] = [];
  const isFit = whyUntrusted(catalog, project) === undefined;
  // Before anything is written: otherwise the texts of missing lines would be dropped.
  const renewed = isFit ? await renewPack(catalog, project) : undefined;
  if (renewed) fixed.push(sentenceOn(renewed));
  if (!project.isIntact && isFit && withoutBase(project).length === 0) {
    renewManifest(project);
    fixed.push('The checksum of the manifest matches again.');
  }
  if (makeEnvPrivate(project)) fixed.push('Only you can read .env now.');
  return fixed;
}

function sentenceOn({ restored, lost }: Renewed): string {
  const texts = restored === 1 ? '1 pristine text is' : `${restored} pristine texts are`;
  const found = restored > 0 ? `${texts} restored` : 'base.pack is in its own format again';
  return lost > 0 ? `${found}; ${lost} could not be found.` : `${found}.`;
}

const styles = { problem: 'red', note: 'yellow', ok: 'green' } as const;

/**
 * Prints every finding with its remedy, and how many there are.
 * @param fixed what `--fix` has just repaired
 */
function reportFindings(
  project: Project,
  findings: Finding[],
  fixed: string[],
  terminal: Terminal,
): void {
  const count = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  const [problems, notes] = [count('problem'), count('note')];
  terminal.document<'doctor'>({
    root: project.root,
    madeBy: project.manifest.version,
    version: generatorVersion(),
    fixed,
    problems,
    notes,
    findings,
  });
  for (const sentence of fixed) terminal.say(`${terminal.paint('green', 'fixed  ')}  ${sentence}`);
  const widest = Math.max(...findings.map(({ about }) => about.length));
  for (const { about, severity, message, remedy } of findings) {
    const mark = terminal.paint(styles[severity], severity.padEnd('problem'.length));
    terminal.say(`${mark}  ${about.padEnd(widest)}  ${message}`);
    if (remedy) terminal.say(`${' '.repeat(widest + 11)}${terminal.paint('cyan', remedy)}`);
  }
  if (terminal.isQuiet) warnOf(findings);
  terminal.say(
    problems > 0
      ? `\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`
      : '\nNothing needs to be done.',
  );
}

/** With `--quiet` people must still learn why the exit code is 3. */
function warnOf(findings: Finding[]): void {
  for (const { about, severity, message, remedy } of findings) {
    if (severity !== 'problem') continue;
    process.stderr.write(`${about}: ${message}\n${remedy ? `  ${remedy}\n` : ''}`);
  }
}
