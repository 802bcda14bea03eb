import { createHash } from 'node:crypto';
import { get, type Route } from './route.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; padding: 0.2rem 0; }
pre { overflow-x: auto; padding: 0.5rem; border: 1px solid; font-size: 0.85rem; }
`;

/** No script, and nothing of another host: whatever a description holds, it is only shown. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What is shown of an OpenAPI document. */
interface ApiDocument {
  info: { title: string };
  servers: { url: string }[];
  /** By path and method. */
  paths: Record<string, Record<string, { summary: string }>>;
  components: { schemas: object };
}

/** The page that shows OpenAPI documents to people. */
export function docsRoute(documents: () => ApiDocument[]): Route {
  return get('/docs', { summary: 'The OpenAPI documents as a page' }, async () => ({
    text: htmlOf(documents()),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  }));
}

function htmlOf(documents: ApiDocument[]): string {
  const title = escapeHtml(documents[0]?.info.title ?? '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}: API</h1>
${documents.map(sectionOf).join('\n')}
</main>
</body>
</html>
`;
}

function sectionOf({ servers, paths, components }: ApiDocument): string {
  const prefix = servers.map(({ url }) => new URL(url).pathname).join();
  const path = escapeHtml(prefix);
  const operations = Object.entries(paths).flatMap(([below, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(method, prefix + below, operation),
    ),
  );
  return `<section>
<h2>${path}</h2>
<p><a href="${path}/openapi.json">${path}/openapi.json</a></p>
${operations.join('\n')}
<details><summary>Schemas</summary><pre>${shown(components.schemas)}</pre></details>
</section>`;
}

function operationOf(method: string, path: string, operation: { summary: string }): string {
  const { summary, ...rest } = operation;
  return `<details>
<summary><code>${method.toUpperCase()} ${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<pre>${shown(rest)}</pre>
</details>`;
}

function shown(part: unknown): string {
  return escapeHtml(JSON.stringify(part, undefined, 2));
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
