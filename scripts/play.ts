import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../src/errors.js';
import { recordFolder } from '../src/plan/manifest.js';
import { answersOf } from './play/answers.js';
import { bringUpToDate, type Change } from './play/bring-up-to-date.js';
import { playFolder } from './play/folder.js';
import { render } from './play/render.js';
import { runScript } from './play/run-script.js';
import { templatesState, watchTemplates } from './play/watch-templates.js';

/**
 * Renders a service into `playground/play` and keeps it up to date while the templates are edited. It takes the flags of
 * `create`; its packages are those of this repository.
 */
const shownChanges = 10;

const meanings: { [done in Change['done']]: string } = {
  written: '',
  removed: '',
  kept: 'gone from the templates, but edited here',
  replaced: 'edited here, and its template changed: your text lies beside it as .edited',
};

await runScript(async () => {
  const { answers, flags } = answersOf('play', process.argv.slice(2), (command) =>
    command.option('--once', 'render, do not watch'),
  );
  const renew = async () => show(await bringUpToDate(playFolder, (await render(answers)).plan));
  prepareFolder();
  const state = templatesState();
  await renew();
  if (flags.once === true) return;
  console.log(`Watching templates/ until Ctrl-C. To run it: cd playground/play && npm run dev`);
  process.once('SIGINT', () => process.exit(0));
  await watchTemplates(state, () => renew().catch(showFault));
});

function prepareFolder(): void {
  mkdirSync(playFolder, { recursive: true });
  const isForeign = !existsSync(join(playFolder, recordFolder));
  if (isForeign && readdirSync(playFolder).length > 0) {
    throw new UserError(`${playFolder} was not made by this script. Remove it first.`);
  }
}

function show(changes: Change[]): void {
  const special = changes.filter(({ done }) => meanings[done]);
  const usual = changes.filter(({ done }) => !meanings[done]);
  for (const { path, done } of usual.slice(0, shownChanges)) console.log(`${done}  ${path}`);
  if (usual.length > shownChanges) console.log(`and ${usual.length - shownChanges} more`);
  for (const { path, done } of special) console.log(`${done}  ${path}: ${meanings[done]}`);
}

/** A template under edit is broken now and then: say so, and wait for the next change. */
function showFault(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error));
}
