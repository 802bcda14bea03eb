import type { Finding } from '../doctor/finding.js';
import type { Project } from '../project/open-project.js';
import type { Terminal } from '../terminal.js';

export interface Examination {
  project: Project;
  /** Of the generator that runs. */
  version: string;
  findings: Finding[];
  /** What `--fix` has repaired before. */
  fixed: string[];
}

const styles = { problem: 'red', note: 'yellow', ok: 'green' } as const;

/** Prints every finding with its remedy, and how many there are. */
export function reportFindings(
  { project, version, findings, fixed }: Examination,
  terminal: Terminal,
): void {
  const count = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  const [problems, notes] = [count('problem'), count('note')];
  terminal.document({
    root: project.root,
    madeBy: project.manifest.version,
    version,
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
  terminal.say(
    problems > 0
      ? `\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`
      : '\nNothing that would have to be done.',
  );
}
