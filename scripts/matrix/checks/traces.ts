import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type PackageManagerName,
  packageManagerNames,
} from '../../../src/answers/package-managers.js';
import { chooseLayers } from '../../../src/catalog/choose-layers.js';
import type { Layer } from '../../../src/catalog/layer.js';
import { filesBelow } from '../child.js';
import { exemptions, sharedNames } from '../exemptions.js';
import { nameWord, type Word, wordsOf } from '../layer-words.js';
import type { Emitted } from './check.js';

/** Nothing speaks of a layer or a package manager that was not chosen: no word of it in any file or path. */
export function hasNoTraces({ catalog, combination, folder }: Emitted): string | undefined {
  const chosen = chooseLayers(catalog, combination);
  const others = catalog.filter((layer) => !chosen.includes(layer));
  const words = [
    ...foreignWords(chosen, others),
    ...foreignPackageManagers(combination.packageManager).map(nameWord),
  ];
  const traces = filesBelow(folder)
    // The pristine copy holds the same bytes once more.
    .filter((path) => !path.startsWith('.create-auth-service/base/'))
    .flatMap((path) => tracesIn(path, readFileSync(join(folder, path), 'utf8'), words));
  return traces.length > 0 ? traces.join('\n') : undefined;
}

/** A word which a chosen layer brings too betrays nothing. */
function foreignWords(chosen: Layer[], others: Layer[]): Word[] {
  const known = new Set(chosen.flatMap((layer) => wordsOf(layer, chosen)).map(({ word }) => word));
  const names = new Set(chosen.map(({ name }) => name));
  const isShared = ({ word, is }: Word) => is === 'name' && names.has(sharedNames[word] ?? '');
  const words = others
    .flatMap((layer) => wordsOf(layer, chosen))
    .filter((each) => !known.has(each.word) && !isShared(each));
  return [...new Map(words.map((word) => [word.word, word])).values()];
}

/** npm is none: it comes with Node.js and is how a machine gets the others. */
function foreignPackageManagers(chosen: PackageManagerName): string[] {
  return packageManagerNames.filter((name) => name !== chosen && name !== 'npm');
}

function tracesIn(path: string, text: string, words: Word[]): string[] {
  const whole = withoutExempt(`${path}\n${text}`);
  const inIt = words.filter(({ pattern }) => pattern.test(whole));
  if (inIt.length === 0) return [];
  const lines = whole.split('\n');
  return inIt.flatMap(({ word, is, pattern }) =>
    lines.flatMap((line, number) =>
      pattern.test(line) ? [`${path}:${number} ${is} ${word}: ${line.trim().slice(0, 200)}`] : [],
    ),
  );
}

function withoutExempt(text: string): string {
  return exemptions.reduce((left, { phrase }) => left.replaceAll(phrase, ''), text);
}
