import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, repositoryFolder } from '../../scripts/matrix/child.js';

const ours = ['bin', 'src', 'scripts', 'bench', 'test', 'templates', 'docs'];

/** Paths of this repository's own files below the named folders, without generated files and fixtures. */
export function repositoryFiles(...folders: string[]): string[] {
  return (folders.length > 0 ? folders : ours)
    .flatMap((folder) =>
      filesBelow(join(repositoryFolder, folder)).map((path) => `${folder}/${path}`),
    )
    .filter((path) => !/(^|\/)(node_modules|fixtures)\//.test(path));
}

export function textOf(path: string): string {
  return readFileSync(join(repositoryFolder, path), 'utf8');
}

/** Path, line number and line of each place where a pattern is found in the files. */
export function placesOf(pattern: RegExp, paths: string[]): string[] {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
  );
}

export const isCode = (path: string) => /\.tsx?$/.test(path);
export const isTest = (path: string) => /\.test\.tsx?$|(^|\/)test\//.test(path);
