import type { openApiDocument } from '../src/http/openapi.js';

/** The part of JSON Schema that the routes use. */
interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

interface Content {
  content?: { 'application/json'?: { schema?: Schema } };
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

/** The module `api.ts`: what each route takes and returns, and every error code. */
export function apiTypes({ paths, components }: ReturnType<typeof openApiDocument>): string {
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as unknown as Record<string, Operation>).flatMap(
      ([method, operation]) => lineOf(`${method.toUpperCase()} ${path}`, operation) ?? [],
    ),
  );
  const { properties } = components.schemas.Error as Schema;
  return `// Written by \`npm run client\`: run it again when your routes change.

/** What each route below the prefix takes and returns. */
export interface Api {
${lines.join('\n')}
}

/** Every error code. */
export type ErrorCode = ${typeOf(properties?.code)};
`;
}

/** Undefined for a route that redirects browsers or responds with a page. */
function lineOf(
  name: string,
  { parameters = [], requestBody, responses }: Operation,
): string | undefined {
  const status = Object.keys(responses).find((each) => each.startsWith('2'));
  const reply = status && responses[status]?.content?.['application/json'];
  if (!reply) return undefined;
  const fieldsIn = (place: string): string | undefined => {
    const fields = parameters.filter((each) => each.in === place);
    if (fields.length === 0) return undefined;
    const properties = Object.fromEntries(fields.map((each) => [each.name, each.schema]));
    const required = fields.filter((each) => each.required).map((each) => each.name);
    const type = typeOf({ type: 'object', properties, required });
    return `${place === 'path' ? 'params' : place}${required.length > 0 ? '' : '?'}: ${type}`;
  };
  const body = requestBody?.content?.['application/json']?.schema;
  const parts = [
    fieldsIn('path'),
    fieldsIn('query'),
    body && `body${requestBody.required ? '' : '?'}: ${typeOf(body)}`,
    `reply: ${typeOf(reply.schema)}`,
  ];
  return `  '${name}': { ${parts.filter(Boolean).join('; ')} };`;
}

function typeOf(schema: Schema | undefined): string {
  if (!schema || schema.$ref) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  const types = [schema.type ?? []].flat().map((type) => typeNamed(type, schema));
  return types.join(' | ') || 'unknown';
}

function typeNamed(type: string, schema: Schema): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `(${typeOf(schema.items)})[]`;
  if (type !== 'object') return type;
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  if (fields.length > 0 && additionalProperties) fields.push('[field: string]: unknown');
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  const values =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return `Record<string, ${values}>`;
}
