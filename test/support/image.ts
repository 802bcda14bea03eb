import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * Does what the Dockerfile of a project says, without Docker: each stage is a folder below `parent`, in place of
 * `/app`. Users, and what gets a package manager, are left out. @returns the folder of the last stage
 */
export async function buildImage(
  project: string,
  parent: string,
  run: (command: string, folder: string) => Promise<unknown>,
): Promise<string> {
  const stages = new Map<string | undefined, string>();
  let stage = parent;
  for (const [, instruction, rest = ''] of linesOf(project, 'Dockerfile')) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1];
      stage = join(parent, name ?? 'image');
      mkdirSync(stage, { recursive: true });
      stages.set(name, stage);
    }
    if (instruction === 'COPY') {
      const [, name, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(rest) ?? [];
      const sources = paths.split(' ');
      const target = join(stage, sources.pop() ?? '');
      for (const source of sources) copy(stages.get(name) ?? project, source, target, !name);
    }
    const isOurs = !rest.startsWith('npm install --global') && !rest.includes('chown');
    if (instruction === 'RUN' && isOurs) await run(rest, stage);
  }
  return stage;

  /** Copies a file into the target, or a folder as the target; from the project nothing that `.dockerignore` names. */
  function copy(from: string, source: string, target: string, isProject: boolean): void {
    const path = join(from, source.replace('/app/', ''));
    const ignored = isProject
      ? readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n')
      : [];
    cpSync(path, statSync(path).isDirectory() ? target : join(target, basename(path)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => !ignored.includes(relative(project, each)),
    });
  }
}

function linesOf(project: string, name: string) {
  return readFileSync(join(project, name), 'utf8').matchAll(/^([A-Z]+) (.+)$/gm);
}
