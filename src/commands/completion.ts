import type { Command } from 'commander';
import { namedLayers } from '../answers/change-layers.js';
import { questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { bashScript } from '../completion/bash.js';
import { describeCommands } from '../completion/describe.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { UserError } from '../errors.js';
import { suggestion } from '../nearest.js';

const scripts: Record<string, typeof bashScript> = {
  bash: bashScript,
  fish: fishScript,
  zsh: zshScript,
};
const shells = Object.keys(scripts);

/** Prints the script by which a shell completes this program's commands. @throws UserError for another shell */
export function completion(root: Command, catalog: Catalog, shell: string): void {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script) {
    throw new UserError(
      `There is no completion for ${JSON.stringify(shell)}.`,
      suggestion(shell, shells),
    );
  }
  const questions = questionsFrom(catalog);
  const commands = describeCommands(root, questions, {
    shell: shells,
    names: namedLayers(catalog).map(({ name }) => name),
  });
  process.stdout.write(script(root.name(), commands));
}
