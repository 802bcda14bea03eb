import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type PackageManagerName,
  packageManagerNames,
} from '../../../src/answers/package-managers.js';
import { chooseLayers } from '../../../src/catalog/choose-layers.js';
import type { Layer } from '../../../src/catalog/layer.js';
import { readSources } from '../../../src/catalog/read-sources.js';
import { filesBelow } from '../child.js';
import { nameWord, type Word, wordsOf } from '../layer-words.js';
import type { Emitted } from '../standard.js';

/**
 * Phrases in every service, whatever was chosen, and why; they are removed from the text before traces are searched for.
 */
const exemptions: Record<string, string> = {
  '.github': 'the folder of the CI workflow',
  '/login?error=':
    'the page of the app that a refused sign-in leads to, not the route of that name',
  '/ui/login': 'the page to sign in on, whatever signs in',
  '/ui/account': "the page of one's own account",
  '--no-experimental-sqlite': 'an option of Node.js',
  '-apple-system': 'the font of a system',
  'lockout increments on SQLite': 'the report that a test is named after',
  'App registrations': 'the page where Microsoft registers apps',
  isTotpEnabled: 'a claim of every token and a field of every profile: clients read it always',
  is_totp_enabled: 'the column of that field',
  'is-totp-enabled': 'the file of that field',
  'url.password': 'the user info of a URL (URL standard)',
  'url?.password': 'the user info of a URL (URL standard)',
  'user:password@': 'the user info of a URL, in what is said of one',
  _PASSWORD: "the database's own, in compose.yaml and what is said of it",
  "'currentPassword',": 'what the log must never show, whoever sends it',
  "'newPassword',": 'what the log must never show, whoever sends it',
  "'password',": 'what the log must never show, whoever sends it',
  "type === 'password'": "HTML's kind of field",
  "type: 'password'": "HTML's kind of field",
  "type = 'password'": "HTML's kind of field",
  "'text' | 'password'": "HTML's kind of field",
  "'text' ? 'password'": "HTML's kind of field",
  "'new-password'": "HTML's word for what browsers shall not fill in",
  'password: secret }': 'what a test submits where such a form is',
  'password managers': 'what fills in forms, whatever they ask for',
  'password|secret|token|code': 'names of fields that no form may show again',
  'secret|hash|token|password|payload': 'what no export of a person may hold, whoever stores it',
  'secret|password|placeholder': 'words that give an example secret away',
};

/**
 * Layers whose name is also the word for something in another layer: not a trace if that other layer was chosen.
 */
const sharedNames: Record<string, string[]> = {
  // The role and the command of that name, and roles themselves.
  admin: ['base'],
  roles: ['base'],
  // What opens a database.
  password: ['database-server'],
  // A front end of one's own has pages too.
  pages: ['base'],
  // Calls from outside are webhooks too.
  webhooks: ['webhook-configs'],
  // One of the kinds of signatures.
  github: ['webhook-configs'],
};

/** Nothing mentions a layer or a package manager that was not chosen, in any file or path. */
export function hasNoTraces({ catalog, combination, folder }: Emitted): string | undefined {
  const chosen = chooseLayers(catalog, combination);
  const others = catalog.filter((layer) => !chosen.includes(layer));
  const words = [
    ...foreignWords(chosen, others),
    ...foreignPackageManagers(combination.packageManager).map(nameWord),
  ];
  const traces = filesBelow(folder)
    // It holds the same texts again, in base64.
    .filter((path) => path !== '.create-auth-service/base.pack')
    .flatMap((path) => tracesIn(path, readFileSync(join(folder, path), 'utf8'), words));
  return traces.length > 0 ? traces.join('\n') : undefined;
}

/**
 * The words that are traces of layers that were not chosen. A word that a chosen layer has too is not a trace; nor
 * is the end of one of its paths, or a name that it declares.
 */
export function foreignWords(chosen: Layer[], others: Layer[]): Word[] {
  const known = new Set(chosen.flatMap((layer) => wordsOf(layer, chosen)).map(({ word }) => word));
  const names = new Set(chosen.map(({ name }) => name));
  const code = readSources(chosen)
    .filter(({ path }) => /\.[cm]?[jt]s$/.test(path))
    .map(({ content }) => readCode(content));
  const routes = code.map(({ routes }) => routes).join('\n');
  const isShared = ({ word, is }: Word) =>
    (is === 'name' && sharedNames[word]?.some((name) => names.has(name))) ||
    (is === 'route' && new RegExp(`'/[\\w/-]*[\\w-]${word}'`).test(routes)) ||
    (is === 'export' && code.some(({ declared }) => declared.has(word)));
  const words = others
    .flatMap((layer) => wordsOf(layer, chosen))
    .filter((each) => !known.has(each.word) && !isShared(each));
  return [...new Map(words.map((word) => [word.word, word])).values()];
}

interface Code {
  /** The names that it declares. */
  declared: Set<string>;
  /** Its lines with a path in quotes. */
  routes: string;
}

/** By the content of a template, which is asked about in hundreds of selections. */
const read = new WeakMap<Buffer, Code>();

function readCode(content: Buffer): Code {
  const known = read.get(content);
  if (known) return known;
  const text = content.toString();
  const names = /(?<=\b(?:function|const|class|interface|type) )\w+|\w+(?=\??:)/g;
  const routes = text.match(/^.*'\/.*$/gm)?.join('\n') ?? '';
  const code = { declared: new Set(text.match(names)), routes };
  read.set(content, code);
  return code;
}

/** npm is not among them: it comes with Node.js and installs the others. */
function foreignPackageManagers(chosen: PackageManagerName): string[] {
  return packageManagerNames.filter((name) => name !== chosen && name !== 'npm');
}

/** Each line of a file that holds one of these words. */
function tracesIn(path: string, text: string, words: Word[]): string[] {
  const whole = withoutExempt(`${path}\n${text}`);
  const lines = whole.split('\n');
  return wordsIn(whole, words).flatMap(({ word, is, pattern }) =>
    lines.flatMap((line, number) =>
      pattern.test(line) ? [`${path}:${number} ${is} ${word}: ${line.trim().slice(0, 200)}`] : [],
    ),
  );
}

/** Which of these words a text holds. */
export function wordsIn(text: string, words: Word[]): Word[] {
  return words.filter(({ pattern }) => pattern.test(text));
}

/** A text without the phrases that every service has. */
export function withoutExempt(text: string): string {
  return Object.keys(exemptions).reduce((left, phrase) => left.replaceAll(phrase, ''), text);
}
