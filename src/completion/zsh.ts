import { inQuotes } from '../quoting.js';
import {
  type DescribedCommand,
  type DescribedOption,
  type DescribedValue,
  standardCommand,
} from './describe.js';

/** A script for zsh, for a folder of its \`fpath\` or to be sourced after \`compinit\`. */
export function zshScript(program: string, commands: DescribedCommand[]): string {
  const name = `_${program.replaceAll('-', '_')}`;
  return `#compdef ${program}
# zsh completion of ${program}. To use it in every shell, with a folder of your fpath:
#   ${program} completion zsh > ~/.zfunc/_${program}
${name}() {
  local command=${standardCommand} given= word
  for word in \${words[2,CURRENT-1]}; do
    case $word in
      ${commands.map((each) => each.name).join('|')}) command=$word; given=yes; break ;;
    esac
  done
  if [[ -z $given && \${words[CURRENT]} != -* && \${words[CURRENT-1]} != --* ]]; then
    local -a commands=(
${commands.map((each) => `      ${inQuotes(`${each.name.replaceAll(':', '\\:')}:${each.description}`)}`).join('\n')}
    )
    _describe command commands
    _files -/
    return
  fi
  # _arguments counts from the command.
  if [[ -n $given ]]; then
    local -i at=\${words[(ie)$command]}
    (( CURRENT -= at - 1 ))
    words=("\${(@)words[at,-1]}")
  fi
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _${program} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program}
fi
`;
}

function commandCase({ name, options, takes }: DescribedCommand): string {
  const specs = [
    ...options.flatMap(optionSpecs),
    ...takes.map((value) => inQuotes(`${value.isRepeated ? '*' : ''}:${action(value)}`)),
  ];
  return [
    `    ${name})`,
    `      _arguments \\`,
    `        ${specs.join(' \\\n        ')}`,
    '      ;;',
  ].join('\n');
}

function optionSpecs({ names, description, value }: DescribedOption): string[] {
  const about = description.replace(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:');
  return names.map((flag) =>
    value ? inQuotes(`${flag}=[${about}]:${action(value)}`) : inQuotes(`${flag}[${about}]`),
  );
}

/** What a value is, and how zsh completes it. */
function action({ kind, words }: DescribedValue): string {
  if (kind === 'words') return `value:(${words.join(' ')})`;
  // The blank in front says that no arguments may be put in between.
  if (kind === 'list of words') return `values: _values -s , value ${words.join(' ')}`;
  return kind === 'path' ? 'path:_files' : 'text: ';
}
