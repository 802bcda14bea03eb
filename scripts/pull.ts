import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { chooseLayers } from '../src/catalog/choose-layers.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { readSources } from '../src/catalog/read-sources.js';
import { pageOf } from '../src/plan/join-sections.js';
import { sha256Of } from '../src/plan/manifest.js';
import { compose, planFromTemplates } from '../src/plan/plan-project.js';
import { openProject } from '../src/project/open-project.js';
import { repositoryFolder } from './matrix/child.js';
import { playFolder, renderInto, runScript } from './play/render.js';

/**
 * Copies edits made in a rendered project, `playground/play` if no other is named, back to the templates that its files
 * come from. What cannot be copied back is reported with the place to edit, and the exit code is 1.
 */
await runScript(async () => {
  const folder = resolve(process.argv[2] ?? playFolder);
  const { manifest } = openProject(folder);
  const catalog = readCatalog();
  const plan = planFromTemplates(catalog, manifest.answers);
  const tree = compose(readSources(chooseLayers(catalog, plan.answers)));
  const rendered = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  let edits = 0;
  for (const { path, content } of plan.files) {
    const here = existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : undefined;
    const isUnedited = here && sha256Of(here) === rendered.get(path);
    if (here?.equals(content) || isUnedited) continue;
    edits += 1;
    const source = tree.get(path)?.source;
    const template = source && relative(repositoryFolder, source.from);
    const isJoined = [...tree.keys()].some((each) => pageOf(each, tree) === path);
    if (!source) refuse(path, 'it is merged from a file in each layer: edit those');
    else if (isJoined) refuse(path, `it is joined from ${template} and its sections: edit those`);
    else if (source.isList) refuse(path, `it is rendered from a list: edit ${template}`);
    else if (!here) refuse(path, `deleted here; to delete it for good, delete ${template}`);
    else if (sha256Of(content) !== rendered.get(path)) {
      refuse(path, `its template has changed since too: merge it into ${template}`);
    } else {
      writeFileSync(source.from, here);
      console.log(`${path} → ${template}`);
    }
  }
  if (edits === 0) console.log(`No edits in ${relative('.', folder)}.`);
  // The next edit of a file is compared with what was copied back.
  else if (process.exitCode !== 1) renderInto(folder, plan.answers);
});

function refuse(path: string, reason: string): void {
  console.log(`${path}: ${reason}`);
  process.exitCode = 1;
}
