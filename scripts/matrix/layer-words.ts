import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer } from '../../src/catalog/layer.js';
import { readFragments, readSources } from '../../src/catalog/read-sources.js';
import { mergeEnvExamples } from '../../src/plan/env-example.js';
import { findRoutes } from '../../src/plan/find-routes.js';

/** A word that is a trace of a layer, and the pattern that finds it in a text. */
export interface Word {
  word: string;
  /** What it is in the layer: its name, a route, a variable … */
  is: string;
  pattern: RegExp;
}

/**
 * The words of a layer, read from its own folder: adding a layer adds nothing here. `beside` names the layers that are
 * chosen too: what it adds for those counts as well.
 */
export function wordsOf(layer: Layer, beside: Layer[] = []): Word[] {
  const overlaid = beside.filter(({ name }) => existsSync(join(layer.folder, 'when', name)));
  const read = wordsRead.get(layer) ?? new Map<string, Word[]>();
  wordsRead.set(layer, read);
  const key = overlaid.map(({ name }) => name).join(' ');
  const words = read.get(key) ?? readWords(layer, overlaid);
  read.set(key, words);
  return words;
}

const wordsRead = new WeakMap<Layer, Map<string, Word[]>>();

function readWords(layer: Layer, overlaid: Layer[]): Word[] {
  const sources = readSources([...new Set([layer, ...overlaid])])
    .filter((source) => source.layer === layer)
    .filter(({ path }) => !path.startsWith('docs/'));
  const fragments = readFragments([layer]);
  const code = sources.filter(({ path }) => path.endsWith('.ts'));
  const tree = new Map(code.map((source) => [source.path, { source, layers: [] }]));
  const text = code.map(({ content }) => content.toString()).join('\n');
  return [
    nameWord(layer.name),
    ...properNames(layer).map((name) => plainWord(name, 'title')),
    ...findRoutes(tree).map(({ path }) => routeWord(path)),
    ...mergeEnvExamples(fragments).variables.map(({ name }) => plainWord(name, 'variable')),
    ...packagesOf(fragments).map((name) => plainWord(name, 'package')),
    ...found(text, /\b([A-Z][A-Z_0-9]+): (?:\[|\{ status:)/g, 'error code'),
    ...found(text, /\b([a-z]+[A-Z]\w*): \{\s*points:/g, 'rate limit'),
    ...found(text, /'(\w+(?:\.\w+){2,})': (?:event|\{)/g, 'event'),
    ...found(text, /createTable\('(\w+)'\)/g, 'table'),
    ...found(text, /^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm, 'export')
      // One English word in lower case says nothing about where it comes from.
      .filter(({ word }) => /[a-z][A-Z]/.test(word)),
  ];
}

/** A layer's name however code and texts spell it: `magic-link`, `magicLink`, `MagicLinks`, `MAGIC_LINK`. */
export function nameWord(name: string): Word {
  const parts = name.split('-');
  const pascal = parts.map((part) => (part[0]?.toUpperCase() ?? '') + part.slice(1)).join('[-_ ]?');
  const upper = name.toUpperCase().replaceAll('-', '_');
  const camel = parts[0] + pascal.slice(parts[0]?.length ?? 0);
  const spellings = [
    `(?<![A-Za-z])(?:${parts.join('[-_ ]')}|${camel})s?(?![a-z])`,
    `${pascal}s?(?![a-z])`,
    `(?<![A-Z])${upper}S?(?![A-Z])`,
  ];
  return { word: name, is: 'name', pattern: new RegExp(spellings.join('|')) };
}

/**
 * The proper names in a title: `PostgreSQL`, `MariaDB`, `OAuth`. Its other words are words of every text, and those of
 * a choice within a layer are that layer's as well.
 */
function properNames({ group, title }: Layer): string[] {
  if (group === 'choice') return [];
  return title.match(/\b\w*(?:[a-z][A-Z]|[A-Z]{2}[a-z])\w*/g) ?? [];
}

function routeWord(path: string): Word {
  // Not `./register.js`: a file of that name is found by the other words.
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`${literal}(?![\\w/-]|\\.\\w)`);
  return { word: path, is: 'route', pattern };
}

function plainWord(word: string, is: string): Word {
  return { word, is, pattern: new RegExp(`(?<![\\w-])${word}(?![\\w-])`) };
}

function found(text: string, pattern: RegExp, is: string): Word[] {
  return [...text.matchAll(pattern)].map(([, word = '']) => plainWord(word, is));
}

function packagesOf(fragments: ReturnType<typeof readFragments>): string[] {
  return fragments.flatMap(({ packageJson }) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(packageJson);
    return Object.keys({ ...dependencies, ...devDependencies });
  });
}
