import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.js';

const examples = `
Examples:
  source <(create-auth-service completion bash)
  create-auth-service completion zsh > ~/.zfunc/_create-auth-service
  create-auth-service completion fish > ~/.config/fish/completions/create-auth-service.fish
`;

export function declareCompletion(root: Command, catalog: Catalog): void {
  root
    .command('completion <shell>')
    .description('print the completion script for bash, zsh or fish')
    .addHelpText('after', examples)
    .action(async (shell) => {
      const command = await import('../commands/completion.js');
      command.completion(root, catalog, shell);
    });
}
