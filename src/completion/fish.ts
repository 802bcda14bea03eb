import {
  type DescribedCommand,
  type DescribedOption,
  type DescribedValue,
  standardCommand,
} from './describe.js';

/** A script for fish. */
export function fishScript(program: string, commands: DescribedCommand[]): string {
  const names = commands.map((command) => command.name).join(' ');
  const isNew = `not __fish_seen_subcommand_from ${names}`;
  const first = commands.map(({ name, description }) =>
    complete(program, isNew, `-a ${name} -d ${quoted(description)}`),
  );
  const rest = commands.flatMap(({ name, options, takes }) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    const condition = name === standardCommand ? `${isNew}; or ${seen}` : seen;
    return [
      ...options.map((option) => complete(program, condition, optionPart(option))),
      ...takes.slice(0, 1).flatMap((value) => {
        const part = argumentPart(value);
        return part === undefined ? [] : [complete(program, condition, part)];
      }),
    ];
  });
  return `# fish completion of ${program}. To use it in every shell:
#   ${program} completion fish > ~/.config/fish/completions/${program}.fish
complete -c ${program} -f
${[...first, ...rest].join('\n')}
`;
}

function complete(program: string, condition: string, part: string): string {
  return `complete -c ${program} -n ${quoted(condition)} ${part}`;
}

function optionPart({ names, description, value }: DescribedOption): string {
  const flags = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...flags, ...(value ? [valuePart(value)] : []), `-d ${quoted(description)}`].join(' ');
}

function valuePart(value: DescribedValue): string {
  if (value.kind === 'text') return '-x';
  return value.kind === 'path' ? '-r -F' : `-x ${wordsPart(value)}`;
}

function argumentPart(value: DescribedValue): string | undefined {
  if (value.kind === 'text') return undefined;
  return value.kind === 'path' ? '-F' : wordsPart(value);
}

function wordsPart({ kind, words }: DescribedValue): string {
  if (kind === 'words') return `-a ${quoted(words.join(' '))}`;
  // What precedes the last comma is part of each suggestion.
  const before =
    'string replace -r "[^,]*\\$" "" -- (commandline -ct | string replace -r "^--[^=]*=" "")';
  return `-a ${quoted(`(printf "%s\\n" (${before})${`{${words.join(',')}}`})`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
