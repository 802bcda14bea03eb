import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import * as z from 'zod/mini';
import { answersJsonSchema } from '../src/answers/json-schema.js';
import { inOrder, questionsFrom } from '../src/answers/questions.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { commandLine } from '../src/command-line.js';
import { documents } from '../src/documents.js';
import * as examples from '../src/examples.js';
import { templatesFolder } from '../src/package-root.js';
import { repositoryFolder } from './matrix/child.js';

/**
 * The pages that say what the command line takes, made from the definitions that it runs by: by path. `npm run commands` writes
 * them, and a test holds them equal.
 */
export function commandPages(): Record<string, string> {
  const catalog = readCatalog(templatesFolder);
  const schema = answersJsonSchema(inOrder(questionsFrom(catalog)));
  return {
    'docs/commands.md': referencePage(commandLine(catalog)),
    'docs/answers.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
    'docs/output.schema.json': `${JSON.stringify(outputSchema(), null, 2)}\n`,
  };
}

/** A definition for each kind of document that `--json` prints. */
function outputSchema(): object {
  const schemas = Object.entries(documents).map(([name, document]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(document);
    return [name, schema];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What create-auth-service prints with --json',
    $defs: Object.fromEntries(schemas),
  };
}

function referencePage(root: Command): string {
  return [
    '# Commands',
    'Made by `npm run commands` from the definitions of the commands. What [answers](answers.schema.json) may be, in `--config` and',
    'in the manifest of a project, is a JSON Schema, which `create-auth-service list --json` prints too.',
    'What `--json` prints has one as well: [output.schema.json](output.schema.json) defines a document for `list`, `create`, `diff`,',
    '`diffUpstream` (`diff --upstream`), `doctor`, `change` (`add`, `remove`, `change`, `upgrade`, `regenerate`), `upgradeContinue`,',
    '`upgradeAbort`, and `error` for each that fails. Both are in the package, below `docs/`.',
    '',
    ...root.commands.flatMap((command) => commandSection(root.name(), command)),
  ]
    .join('\n')
    .replace('# Commands\n', '# Commands\n\n');
}

function commandSection(program: string, command: Command): string[] {
  const name = command.name();
  const flags = command.options.filter(({ hidden }) => !hidden);
  const example = Object.entries(examples.examples).find(([key]) => key === name)?.[1] ?? '';
  return [
    `## ${name}`,
    '',
    `\`${program} ${[name, command.usage()].join(' ')}\`: ${command.description()}`,
    '',
    ...(flags.length > 0 ? ['| flag | |', '|---|---|', ...flags.map(flagRow), ''] : []),
    '```sh',
    ...example
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim()),
    '```',
    '',
  ];
}

function flagRow({ flags, description }: Option): string {
  return `| \`${flags}\` | ${description.replaceAll('|', '\\|')} |`;
}

/** Those that are not as they should be. */
export function stalePages(): string[] {
  return Object.entries(commandPages())
    .filter(([path, text]) => readFileSync(join(repositoryFolder, path), 'utf8') !== text)
    .map(([path]) => path);
}

if (process.argv[1]?.endsWith('commands.ts')) {
  for (const [path, text] of Object.entries(commandPages())) {
    writeFileSync(join(repositoryFolder, path), text);
  }
}
