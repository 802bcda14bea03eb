import type { Answers } from '../../src/answers/questions.js';
import { packPath, readPack, recordFiles, textIn } from '../../src/plan/base-pack.js';
import { manifestPath, manifestText } from '../../src/plan/manifest.js';
import { kindOf, modeOf, type Owner } from '../../src/plan/ownership.js';
import type { Plan } from '../../src/plan/plan-project.js';
import type { ProjectFile } from '../../src/project/read-file.js';
import { idsNeedingBase, pairFiles } from '../../src/upgrade/pair-files.js';
import { planUpgrade } from '../../src/upgrade/plan-upgrade.js';
import { readManifest } from '../../src/upgrade/read-manifest.js';
import type { UpgradePlan } from '../../src/upgrade/upgrade-plan.js';
import type { Files } from './files.js';

/** A project without a disk: path → file, its record included. */
export type InMemoryProject = Map<string, ProjectFile>;

const answers: Answers = {
  name: 'my-auth',
  framework: '',
  database: '',
  methods: [],
  features: [],
  packageManager: 'npm',
};

interface Release {
  version: string;
  files: Files;
  /** `ours` by default. */
  owners?: Record<string, Owner>;
  /** New path → first path. */
  ids?: Record<string, string>;
}

/** What a generator of that version would emit. */
function planOf({ version, files, owners = {}, ids = {} }: Release): Plan {
  const planned = Object.entries(files).map(([path, text]) => {
    const content = Buffer.from(text);
    const [id, owner] = [ids[path] ?? path, owners[path] ?? ('ours' as const)];
    const kind = kindOf(path, content);
    return { id, path, content, mode: modeOf(content), kind, owner, layers: ['base'] };
  });
  const sorted = planned.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { answers, version, files: sorted, env: [], nextSteps: [], urls: {} };
}

/** The project as it was emitted. */
export function emitted(release: Release): InMemoryProject {
  return projectOf(planOf(release));
}

/** The same of any plan. */
export function projectOf(plan: Plan): InMemoryProject {
  const files = [...plan.files, ...recordFiles(plan)];
  return new Map(files.map(({ path, content, mode }) => [path, { content, mode }]));
}

/** The project after the team's edits: a text, or undefined for a deleted file. */
export function edited(
  project: InMemoryProject,
  edits: Record<string, string | Buffer | undefined>,
): InMemoryProject {
  const result = new Map(project);
  for (const [path, text] of Object.entries(edits)) {
    const mode = project.get(path)?.mode ?? 0o644;
    if (text === undefined) result.delete(path);
    else result.set(path, { content: Buffer.from(text), mode });
  }
  return result;
}

/** A plan, with the changes of its record. */
type WholePlan = Omit<UpgradePlan, 'record'>;

/**
 * Plans the upgrade as the command does: from the texts that it reads, and the pristine copies in the record
 * folder.
 */
export function upgradeTo(project: InMemoryProject, release: Release): Promise<WholePlan> {
  return upgradeToPlan(project, planOf(release));
}

/** The same for any plan. */
export async function upgradeToPlan(project: InMemoryProject, next: Plan): Promise<WholePlan> {
  const { manifest } = readManifest(project.get(manifestPath)?.content.toString() ?? '');
  const pairs = pairFiles(manifest.files, next.files);
  const needed = idsNeedingBase(pairs, project);
  const pack = readPack(project.get(packPath)?.content);
  const bases = manifest.files.flatMap(({ id, sha256 }) => {
    const base = needed.includes(id) ? textIn(pack, sha256) : undefined;
    return base ? [[id, base] as const] : [];
  });
  const { record, ...plan } = planUpgrade({ manifest, next, bases: new Map(bases), project });
  return { ...plan, changes: [...plan.changes, ...record] };
}

/** The project after applying a plan. @throws Error if a file differs from what the plan was made for */
export function applied(project: InMemoryProject, { changes }: WholePlan): InMemoryProject {
  const result = new Map(project);
  for (const { path, before, after } of changes) {
    if (before === undefined && result.has(path)) throw new Error(`${path} is there`);
    if (after) result.set(path, after);
    else if (!result.delete(path)) throw new Error(`${path} is gone already`);
  }
  return result;
}

/** The same, as if the team had kept its side of each conflict and run `--continue`. */
export function continued(project: InMemoryProject): InMemoryProject {
  const { manifest } = readManifest(project.get(manifestPath)?.content.toString() ?? '');
  const text = manifestText({ ...manifest, pending: [] });
  return new Map([...project, [manifestPath, { content: Buffer.from(text), mode: 0o644 }]]);
}

export function textAt(project: InMemoryProject, path: string): string | undefined {
  return project.get(path)?.content.toString();
}
