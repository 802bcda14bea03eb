import { resolve } from 'node:path';
import type { FlagValues } from '../answers/flags.js';
import { type Request, resolveRequest } from '../answers/resolve.js';
import { answersSchema } from '../answers/schema.js';
import { chooseLayers } from '../catalog/choose-layers.js';
import type { Catalog } from '../catalog/read-catalog.js';
import { planFromTemplates } from '../plan/plan-from-templates.js';
import type { Plan } from '../plan/plan-project.js';
import { commitProject } from '../project/git.js';
import { type Installed, installDependencies } from '../project/install.js';
import { healLeftovers } from '../project/staging.js';
import { inspectTarget, type Target } from '../project/target.js';
import { writeProject } from '../project/write-project.js';
import { openTerminal } from '../terminal.js';
import { filesToWrite } from './create-files.js';
import { type Creation, report, reportDryRun, reportInterruptedInstall } from './create-report.js';

/**
 * Emits a project, installs its dependencies and commits it.
 * @returns the exit code: 1 if only the installation failed
 * @throws UserError if nothing was written
 */
export async function create(
  catalog: Catalog,
  directory: string | undefined,
  flags: FlagValues,
): Promise<number> {
  const terminal = openTerminal(flags);
  const schema = answersSchema(catalog);
  const isForced = flags.force === true;
  if (directory !== undefined) inspectTarget(directory, { isForced });
  const check = ({ answers }: Request) => void chooseLayers(catalog, answers);
  const request = await resolveRequest(schema, directory, flags, check, terminal);
  const plan = await planFromTemplates(catalog, request.answers);
  const creation = { schema, request, plan, flags, terminal };
  if (flags.dryRun === true) return reportDryRun(creation);

  healLeftovers(resolve(request.directory));
  const target = inspectTarget(request.directory, { isForced });
  const { files, replaced } = filesToWrite(target, plan);
  await writeProject(target, files);

  const installed = flags.install === false ? undefined : await install(creation, target);
  const committed =
    flags.git === false ? undefined : await commitProject(target.path, commitMessage(plan));
  return report(creation, { replaced, installed, committed });
}

function install(creation: Creation, { path }: Target): Promise<Installed> {
  const { request, terminal } = creation;
  const whenInterrupted = () => reportInterruptedInstall(creation);
  return installDependencies(path, request.answers.packageManager, whenInterrupted, terminal);
}

function commitMessage({ version }: Plan): string {
  return `Create the service with create-auth-service ${version}`;
}
