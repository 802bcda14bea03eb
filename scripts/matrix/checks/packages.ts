import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { filesBelow, repositoryFolder } from '../child.js';
import type { Emitted } from '../standard.js';

const record = z._default(z.record(z.string(), z.string()), {});
const packageJson = z.object({ scripts: record, dependencies: record, devDependencies: record });
const binField = z.object({ bin: z.optional(z.union([z.string(), record])) });

const importOf =
  /(?:^|[;\s])(typeof\s+)?(?:import|export)(\s+type)?\s*(?:[\w*{}\s,$]+?from\s*)?\(?\s*['"]([^'"]+)['"]/gm;

/**
 * Every import is in package.json, under `dependencies` if needed at run time; and every package there is used:
 * imported, named by a script, named as text (a logger's transport) or the types of something imported.
 */
export function namesItsPackages({ folder }: Emitted): string | undefined {
  const named = packageJson.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const sources = codeFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
  const uses = sources.flatMap(([path = '', text = '']) => importsIn(path, text));
  const problems = [
    ...uses.flatMap((use) => missing(use, named) ?? []),
    ...unused(named, uses, sources.map(([, text]) => text).join('\n')),
  ];
  return problems.length > 0 ? [...new Set(problems)].join('\n') : undefined;
}

interface Use {
  path: string;
  name: string;
  isType: boolean;
}

type Named = z.infer<typeof packageJson>;

function codeFiles(folder: string): string[] {
  return filesBelow(folder).filter((path) =>
    /^(src|test|migrations)\/.*\.tsx?$|^[^/]+\.ts$/.test(path),
  );
}

function importsIn(path: string, text: string): Use[] {
  return [...text.matchAll(importOf)]
    .map(([, typeOf, type, specifier = '']) => ({
      path,
      specifier,
      isType: (typeOf ?? type) !== undefined,
    }))
    .filter(({ specifier }) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map(({ specifier, isType }) => ({ path, name: packageOf(specifier), isType }));
}

function packageOf(specifier: string): string {
  const steps = specifier.startsWith('@') ? 2 : 1;
  return specifier.split('/').slice(0, steps).join('/');
}

function missing({ path, name, isType }: Use, named: Named): string | undefined {
  if (name in named.dependencies) return undefined;
  const isForDevelopment = !/^(src|migrations)\//.test(path) || /\.test\.tsx?$/.test(path);
  const isThere =
    name in named.devDependencies || (isType && typesOf(name) in named.devDependencies);
  if (isThere && (isForDevelopment || isType)) return undefined;
  return `${path} imports ${name}, which is not in ${isForDevelopment ? 'package.json' : 'dependencies'}`;
}

function unused(named: Named, uses: Use[], code: string): string[] {
  const imported = new Set(uses.map(({ name }) => name));
  const types = new Set(['@types/node', ...[...imported].map(typesOf)]);
  const scripts = Object.values(named.scripts)
    .join(' ')
    .split(/[\s;&|]+/);
  return Object.keys({ ...named.dependencies, ...named.devDependencies })
    .filter((name) => !imported.has(name) && !types.has(name))
    .filter((name) => !programsOf(name).some((program) => scripts.includes(program)))
    .filter((name) => !code.includes(`'${name}'`))
    .map((name) => `${name} is in package.json and nothing uses it`);
}

/** `@scope/name` → `@types/scope__name`. */
function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}

/** The commands that a package provides, read where this repository has it installed. */
function programsOf(name: string): string[] {
  const path = join(repositoryFolder, 'node_modules', name, 'package.json');
  if (!existsSync(path)) return [];
  const { bin } = binField.parse(JSON.parse(readFileSync(path, 'utf8')));
  if (bin === undefined) return [];
  return typeof bin === 'string' ? [name.split('/').at(-1) ?? name] : Object.keys(bin);
}
