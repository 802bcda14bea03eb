import type { Layer } from './layer.js';

/** A template file: where it comes from, which path it is emitted to, and whether it is an EJS list. */
export interface Source {
  layer: Layer;
  /** Absolute path of the template. */
  from: string;
  /** Emitted path, with slashes. */
  path: string;
  isList: boolean;
  /** True below `when/`: it may take the place of another layer's file. */
  isOverlay: boolean;
  /** Of a list: the body of the function that EJS makes of it. */
  content: Buffer;
}

/** What a layer contributes to the files that are merged from all layers. */
export interface Fragments {
  layer: Layer;
  packageJson: string;
  envExample: string | undefined;
  compose: string | undefined;
  /** What it protects against, and which requirements of OWASP's ASVS it meets. */
  asvs: string | undefined;
}

/** The template files of the chosen layers in the order in which they are laid over one another. */
export function readSources(layers: Layer[]): Source[] {
  const parts = layers.map(partsOf);
  const files = parts.flatMap((part) => part.get('files') ?? []);
  const overlays = parts.flatMap((part) =>
    layers.flatMap(({ name }) => part.get(`when/${name}`) ?? []),
  );
  return [...files, ...overlays];
}

/** The parts of package.json, .env.example, compose.yaml and docs/security.md that the chosen layers bring. */
export function readFragments(layers: Layer[]): Fragments[] {
  return layers.map((layer) => {
    const files = layer.files();
    const packageJson = files.get('package.json')?.toString();
    if (packageJson === undefined) throw new Error(`${layer.folder} has no package.json`);
    return {
      layer,
      packageJson,
      envExample: files.get('env.example')?.toString(),
      compose: files.get('compose.yaml')?.toString(),
      asvs: files.get('asvs.md')?.toString(),
    };
  });
}

/**
 * The path a template is emitted to, without `.ejs` and without the `_` that hides a file from programs here:
 * `_biome.json` → `biome.json`. In a name without an extension, `_` stands for a dot: `_gitignore` → `.gitignore`.
 */
export function emittedPath(templatePath: string): string {
  if (!/_|\.ejs/.test(templatePath)) return templatePath;
  return templatePath
    .replace(/\.ejs$/, '')
    .replace(/(^|\/)_([^./]+)$/, '$1.$2')
    .replace(/(^|\/)_([^/]+)$/, '$1$2');
}

/** The templates of a layer by the folder that they lie below: `files`, or `when/<other layer>`. */
function partsOf(layer: Layer): Map<string, Source[]> {
  const parts = new Map<string, Source[]>();
  for (const [path, content] of layer.files()) {
    const [, part = '', templatePath = ''] = /^(files|when\/[^/]+)\/(.+)$/.exec(path) ?? [];
    if (part === '') continue;
    const source = {
      layer,
      from: `${layer.folder}/${path}`,
      path: emittedPath(templatePath),
      isList: path.endsWith('.ejs'),
      isOverlay: part !== 'files',
      content,
    };
    const same = parts.get(part);
    if (same) same.push(source);
    else parts.set(part, [source]);
  }
  return parts;
}
