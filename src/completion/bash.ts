import { inQuotes } from '../quoting.js';
import { type DescribedCommand, type DescribedValue, standardCommand } from './describe.js';

/** A script for bash 3.2 and later; it needs no other package. */
export function bashScript(program: string, commands: DescribedCommand[]): string {
  const name = `_${program.replaceAll('-', '_')}`;
  const names = commands.map((command) => command.name);
  return `# bash completion of ${program}. To use it in every shell:
#   ${program} completion bash > ~/.local/share/bash-completion/completions/${program}
${name}_words() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
}

# The last of several words with commas between them.
${name}_list() {
  local word before=
  [[ $current == *,* ]] && before=\${current%,*},
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -W "$1" -- "\${current##*,}")
  compopt -o nospace 2> /dev/null
}

${name}_paths() {
  local path
  COMPREPLY=()
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$current")
  compopt -o filenames 2> /dev/null
}

${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=${standardCommand} given= index
  # bash treats the = of --flag=value as a word of its own.
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for (( index = 1; index < COMP_CWORD; index++ )); do
    case \${COMP_WORDS[index]} in
      ${names.join('|')}) command=\${COMP_WORDS[index]}; given=yes; break ;;
    esac
  done
  case $command:$before in
${commands.flatMap((command) => valueCases(name, command)).join('\n')}
  esac
  if [[ $current == -* ]]; then
    case $command in
${commands.map(({ name: command, options }) => `      ${command}) ${name}_words ${quoted(options.flatMap(({ names: flags }) => flags))} ;;`).join('\n')}
    esac
    return
  fi
  case $command:$given in
    ${standardCommand}:) ${name}_words ${quoted(names)} ;;
${commands.flatMap(({ name: command, takes }) => takes.slice(0, 1).flatMap((value) => argumentCase(name, command, value))).join('\n')}
  esac
}

complete -o default -F ${name} ${program}
`;
}

function valueCases(name: string, { name: command, options }: DescribedCommand): string[] {
  return options.flatMap(({ names, value }) => {
    if (!value) return [];
    const patterns = names.map((flag) => `${command}:${flag}`).join('|');
    return [`    ${patterns}) ${completing(name, value)}; return ;;`];
  });
}

function argumentCase(name: string, command: string, value: DescribedValue): string[] {
  return value.kind === 'text' ? [] : [`    ${command}:yes) ${completing(name, value)} ;;`];
}

function completing(name: string, { kind, words }: DescribedValue): string {
  if (kind === 'words') return `${name}_words ${quoted(words)}`;
  if (kind === 'list of words') return `${name}_list ${quoted(words)}`;
  return kind === 'path' ? `${name}_paths` : 'COMPREPLY=()';
}

function quoted(words: string[]): string {
  return inQuotes(words.join(' '));
}
