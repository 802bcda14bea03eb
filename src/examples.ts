/** The examples at the end of each command's help. */
export const examples = {
  create: `
Examples:
  npx create-auth-service                            asks for everything
  npx create-auth-service my-auth --yes              takes the defaults
  npx create-auth-service my-auth --yes --dry-run    shows the files, writes nothing
  npx create-auth-service my-auth --config auth.json takes the answers from a file
`,
  list: `
Examples:
  npx create-auth-service list
  npx create-auth-service list --json
`,
  add: `
Examples, with names from npx create-auth-service list:
  npx create-auth-service add <name>                 with all that it needs
  npx create-auth-service add <name> <name>          several at once
  npx create-auth-service add <name> --dry-run       what it would do; writes nothing
`,
  remove: `
Examples:
  npx create-auth-service remove <name>              its tables stay, with their data
  npx create-auth-service remove <name> --drop-data  a migration drops them when it runs
  npx create-auth-service remove <name> --dry-run    what it would do; writes nothing
`,
  change: `
Examples, with names from npx create-auth-service list:
  npx create-auth-service change --framework <name>
  npx create-auth-service change --database <name> --dry-run --diff
  npx create-auth-service change --package-manager pnpm
`,
  upgrade: `
Examples:
  npx create-auth-service upgrade --dry-run           what it would do; writes nothing
  npx create-auth-service upgrade --dry-run --diff    the same as a patch
  npx create-auth-service upgrade                     does it
  npx create-auth-service upgrade --continue          after conflicts, when they are resolved
  npx create-auth-service upgrade --abort             after conflicts, back to how it was
`,
  regenerate: `
Examples:
  npx create-auth-service regenerate src/http/body.ts    one file as it was emitted
  npx create-auth-service regenerate src/session         a folder
  npx create-auth-service regenerate --yes               all of them
`,
  diff: `
Examples:
  npx create-auth-service diff                       what you changed
  npx create-auth-service diff src/session           in these files only
  npx create-auth-service diff > ours.patch          as a patch
  npx create-auth-service diff --upstream            what an upgrade would bring
  npx create-auth-service diff --check src/db        exit code 3 if they were changed
`,
  doctor: `
Examples:
  npx create-auth-service doctor                     exit code 3 if there is a problem
  npx create-auth-service doctor --fix               repairs what needs no decision
  npx create-auth-service doctor --no-run --json     for a program; runs nothing of the project
`,
  completion: `
For create-auth-service as a command of its own (npm install --global create-auth-service), not for npx.

Examples:
  source <(npx create-auth-service completion bash)
  npx create-auth-service completion zsh > ~/.zfunc/_create-auth-service
  npx create-auth-service completion fish > ~/.config/fish/completions/create-auth-service.fish
`,
};
