import {
  type Advisory,
  type ConcernedFile,
  entriesByFile,
  readAdvisories,
} from '../advisories/advisory.js';
import { assessByAll } from '../advisories/assess-copy.js';
import { titleOf } from '../advisories/fixed-by.js';
import { generatorVersion } from '../package-root.js';
import { lte } from '../packages/semver.js';
import { readAnyFile } from '../project/read-file.js';
import type { Examined } from './check-project.js';
import { type Finding, findingsOrOk, note, problem } from './finding.js';

const about = 'advisories';

/** The known vulnerabilities that this project's copies still have. */
export function checkAdvisories(examined: Examined): Finding[] {
  const advisories = readAdvisories();
  const findings = advisories.flatMap((advisory) =>
    [...entriesByFile(advisory)].flatMap(([id, entries]) =>
      findingsOn(id, entries, advisory, examined),
    ),
  );
  return findingsOrOk(findings, about, `${advisories.length} known, none concerns this project.`);
}

/** Judges a project's file by an advisory; nothing if there is no such file, or it is not affected. */
function findingsOn(
  id: string,
  entries: ConcernedFile[],
  advisory: Advisory,
  { project, drift }: Examined,
): Finding[] {
  const recorded = drift.find((each) => each.file.id === id);
  // A file that the template has dropped may still be there.
  const path = recorded?.place ?? id;
  // A file that cannot be read is reported with the edits.
  const content = readAnyFile(project.root, path)?.content;
  if (!content) return [];
  const { verdict, lines } = assessByAll(entries, {
    content,
    emittedSha256: recorded?.file.sha256,
    isFormatted: recorded?.state === 'formatted',
  });
  if (verdict === 'sound') return [];
  const { details, fixedIn } = advisory;
  const name = titleOf(advisory);
  const at = lines.length > 0 ? `${path}, line ${lines.join(', ')}` : path;
  const remedy = `${details} Fixed in ${fixedIn}: ${upgradeTo(fixedIn)}`;
  if (verdict === 'weak') return [problem(about, `${name} Affected: ${at}.`, remedy)];
  if (verdict === 'edited') {
    return [
      problem(about, `${name} You edited ${at}; check it: the vulnerable lines are there.`, remedy),
    ];
  }
  return [note(about, `${name} You edited ${path}; the lines concerned are gone.`, remedy)];
}

function upgradeTo(fixedIn: string): string {
  return lte(fixedIn, generatorVersion())
    ? 'npx create-auth-service upgrade'
    : `npx create-auth-service@${fixedIn} upgrade`;
}
