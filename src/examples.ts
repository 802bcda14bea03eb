/** What the help of each command shows at its end. */
export const examples = {
  create: `
Examples:
  create-auth-service                            asks for everything
  create-auth-service my-auth --yes              takes the defaults
  create-auth-service my-auth --yes --dry-run    shows the files, writes nothing
  create-auth-service my-auth --config auth.json takes the answers from a file
`,
  list: `
Examples:
  create-auth-service list
  create-auth-service list --json
`,
  add: `
Examples, with names from create-auth-service list:
  create-auth-service add <name>                 with all that it needs
  create-auth-service add <name> <name>          several at once
  create-auth-service add <name> --dry-run       what it would do; writes nothing
`,
  remove: `
Examples:
  create-auth-service remove <name>              its tables stay, with their data
  create-auth-service remove <name> --drop-data  a migration drops them when it runs
  create-auth-service remove <name> --dry-run    what it would do; writes nothing
`,
  change: `
Examples, with names from create-auth-service list:
  create-auth-service change --framework <name>
  create-auth-service change --database <name> --dry-run --diff
  create-auth-service change --package-manager pnpm
`,
  upgrade: `
Examples:
  create-auth-service upgrade --dry-run           what it would do; writes nothing
  create-auth-service upgrade --dry-run --diff    the same as a patch
  create-auth-service upgrade                     does it
  create-auth-service upgrade --continue          after conflicts, when they are resolved
  create-auth-service upgrade --abort             after conflicts, back to how it was
`,
  regenerate: `
Examples:
  create-auth-service regenerate src/http/cors.ts    one file as it was emitted
  create-auth-service regenerate src/session         a folder
  create-auth-service regenerate --yes               all of them
`,
  diff: `
Examples:
  create-auth-service diff                       what you changed
  create-auth-service diff src/session           in these files only
  create-auth-service diff > ours.patch          as a patch
  create-auth-service diff --upstream            what an upgrade would bring
  create-auth-service diff --check src/db        exit code 3 if somebody changed them
`,
  doctor: `
Examples:
  create-auth-service doctor                     exit code 3 if there is a problem
  create-auth-service doctor --fix               repairs what nobody has to decide
  create-auth-service doctor --no-run --json     for a program, running nothing of the project
`,
  completion: `
Examples:
  source <(create-auth-service completion bash)
  create-auth-service completion zsh > ~/.zfunc/_create-auth-service
  create-auth-service completion fish > ~/.config/fish/completions/create-auth-service.fish
`,
};
