import { createHash } from 'node:crypto';
import { type Html, html } from './html.js';
import type { openApiDocument } from './openapi.js';
import { get, type Route } from './route.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; padding: 0.2rem 0; }
pre { overflow-x: auto; padding: 0.5rem; border: 1px solid; font-size: 0.85rem; }
`;

/** No scripts, and nothing from other hosts: whatever a description contains is only displayed. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type ApiDocument = ReturnType<typeof openApiDocument>;

/** The page that shows OpenAPI documents to people. */
export function docsRoute(documents: () => ApiDocument[]): Route {
  return get('/docs', { summary: 'The OpenAPI documents as a page' }, async () => {
    const sections = documents().map(sectionOf);
    const title = `${documents()[0]?.info.title}: API`;
    const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${sections}</html>
`;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    };
    return { text: page.text(), headers };
  });
}

function sectionOf({ servers, paths, components }: ApiDocument): Html {
  const prefix = servers.map(({ url }) => new URL(url).pathname).join();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, ...rest }]) =>
      details(html`<code>${method.toUpperCase()} ${prefix}${path}</code> ${summary}`, rest),
    ),
  );
  return html`<h2><a href="${prefix}/openapi.json">${prefix}</a></h2>
${operations}${details(html`Schemas`, components.schemas)}`;
}

function details(summary: Html, shown: object): Html {
  return html`<details>
<summary>${summary}</summary>
<pre>${JSON.stringify(shown, undefined, 2)}</pre>
</details>
`;
}
