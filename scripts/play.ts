import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { answerFlags, type FlagValues } from '../src/answers/flags.js';
import { type Answers, questionsFrom } from '../src/answers/questions.js';
import { completed } from '../src/answers/request.js';
import { givenAnswers } from '../src/answers/resolve.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { playFolder, renderInto, runScript } from './play/render.js';

/**
 * Renders a service into `playground/play` and keeps it up to date while the templates are edited; with `--once` it
 * exits. It takes the flags of `create`; its packages are those of this repository.
 */
const lookMilliseconds = 200;
const shownLines = 10;

await runScript(async () => {
  const { answers, isOnce } = await readFlags();
  let known = templatesState();
  renew(answers);
  if (isOnce) return;
  console.log('Watching templates/ until Ctrl-C. To run it: cd playground/play && npm run dev');
  process.once('SIGINT', () => process.exit(0));
  for (;;) {
    await wait(lookMilliseconds);
    const now = templatesState();
    if (now === known) continue;
    known = now;
    try {
      renew(answers);
    } catch (error) {
      // A template is sometimes broken while it is edited: say so, and wait for the next change.
      console.error(String(error));
    }
  }
});

function renew(answers: Answers): void {
  const lines = renderInto(playFolder, answers);
  for (const line of lines.slice(0, shownLines)) console.log(line);
  if (lines.length > shownLines) console.log(`and ${lines.length - shownLines} more`);
}

/** Names, sizes and times of all templates: `fs.watch` misses changes on Linux, and in new folders. */
function templatesState(): string {
  return readdirSync(templatesFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`)
    .join('\n');
}

async function readFlags(): Promise<{ answers: Answers; isOnce: boolean }> {
  const questions = questionsFrom(readCatalog());
  const command = new Command('play').option('--once', 'render, do not watch');
  for (const flag of answerFlags(questions)) command.addOption(flag);
  const flags = command.parse().opts<FlagValues & { once?: boolean }>();
  const { given } = await givenAnswers(questions, flags);
  const { answers } = completed(questions, given, 'play');
  return { answers, isOnce: flags.once === true };
}
