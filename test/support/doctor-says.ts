import type { CliOptions } from './cli.js';
import type { MadeProject } from './made-project.js';

interface ReportedFile {
  severity: string;
  about: string;
  message: string;
  remedy?: string;
}

/** The problems that `doctor` reports. */
export async function doctor(
  { inside }: MadeProject,
  args: string[] = [],
  options: Partial<CliOptions> = {},
) {
  const { exitCode, stdout } = await inside(['doctor', '--json', ...args], options);
  const findings: ReportedFile[] = JSON.parse(stdout).findings;
  return {
    exitCode,
    stdout,
    problems: findings
      .filter(({ severity }) => severity === 'problem')
      .map(({ about, message }) => `${about}: ${message}`),
    notes: findings.filter(({ severity }) => severity === 'note').map(({ message }) => message),
  };
}
