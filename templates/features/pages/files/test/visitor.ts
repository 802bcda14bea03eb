import { parseSetCookie } from 'cookie';
import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { type Person, type SignedIn, signInAs } from './sign-in-as.js';

/** A page as a visitor sees it, after redirects. */
export interface SeenPage {
  status: number;
  /** With its query string. */
  path: string;
  html: string;
  headers: Headers;
  /** The text of its `h1`. */
  heading: string;
  /** The message about a refused form. */
  alert: string | undefined;
  /** The error of a field. */
  errorOf(field: string): string | undefined;
  /** The value of a field. */
  valueOf(field: string): string | undefined;
}

/** A browser with scripts off: keeps cookies, follows redirects, submits the forms of the page it is on. */
export interface Visitor {
  /** By name, followed by the path if there is one: `refreshToken /auth`. */
  cookies: Map<string, string>;
  open(path: string, headers?: Record<string, string>): Promise<SeenPage>;
  /** Fills in the form with this name on the page it is on, and submits it by that button. */
  submit(
    form: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<SeenPage>;
  /** Submits the given fields as they are. */
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<SeenPage>;
}

/** Without APP_URL the service's own pages are the front end. */
export function startWithPages(variables: TestEnvironment = {}): Promise<TestService> {
  return startTestService({ APP_URL: '', ...variables });
}

/** A signed-in user in a browser with scripts off. */
export async function signedInVisitor(
  service: TestService,
  given: Person = {},
): Promise<SignedIn & { person: Visitor }> {
  const signedIn = await signInAs(service, given);
  const person = visitor(service);
  person.cookies.set('accessToken', signedIn.accessToken);
  person.cookies.set('refreshToken', signedIn.refreshToken);
  return { ...signedIn, person };
}

const MOST_REDIRECTS = 5;

export function visitor(service: TestService): Visitor {
  const cookies = new Map<string, string>();
  let here: SeenPage | undefined;

  /** The cookies that are sent to this path. */
  function cookiesFor(path: string): string[] {
    return [...cookies].flatMap(([key, value]) => {
      const [name, scope = '/'] = key.split(' ');
      const [pathname = ''] = path.split('?');
      const isSent = scope === '/' || pathname === scope || pathname.startsWith(`${scope}/`);
      return isSent ? [`${name}=${value}`] : [];
    });
  }

  async function send(path: string, init: RequestInit, redirects = 0): Promise<SeenPage> {
    const headers = { accept: 'text/html', cookie: cookiesFor(path).join('; '), ...init.headers };
    const response = await fetch(service.url + path, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) {
      const { name, value, maxAge, path: scope = '/' } = parseSetCookie(header);
      const key = scope === '/' || cookies.has(name) ? name : `${name} ${scope}`;
      if (maxAge === 0 || value === undefined) cookies.delete(key);
      else cookies.set(key, value);
    }
    const location = response.headers.get('location');
    if (location !== null && redirects < MOST_REDIRECTS) {
      const next = response.status === 307 ? init : {};
      return send(location.replace(service.config.BASE_URL, ''), next, redirects + 1);
    }
    here = seenPage(response, path, await response.text());
    return here;
  }

  function post(path: string, fields: Record<string, string>, headers = {}): Promise<SeenPage> {
    const origin = service.config.BASE_URL;
    const body = new URLSearchParams(fields);
    return send(path, { method: 'POST', body, headers: { origin, ...headers } });
  }

  return {
    cookies,
    post,
    open: (path, headers = {}) => send(path, { headers }),
    async submit(form, fields = {}, headers = {}) {
      const page = here;
      const source = page?.html.match(/<form[\s\S]*?<\/form>/g)?.find((each) => {
        return each.includes(` name="form" value="${form}"`);
      });
      if (!page || !source) throw new Error(`There is no form ${form} here.`);
      const action = attribute(source, 'action') ?? page.path;
      return post(action, { ...typedInto(source), ...fields, form }, headers);
    },
  };
}

function seenPage(response: Response, path: string, html: string): SeenPage {
  const textOf = (pattern: RegExp) => unescaped(pattern.exec(html)?.[1]?.replace(/<[^>]*>/g, ''));
  return {
    status: response.status,
    path,
    html,
    headers: response.headers,
    heading: textOf(/<h1>([\s\S]*?)<\/h1>/) ?? '',
    alert: textOf(/role="alert">([\s\S]*?)<\/p>/),
    errorOf: (field) => textOf(new RegExp(`id="[\\w-]+-${field}-error">([\\s\\S]*?)</p>`)),
    valueOf: (field) => typedInto(html)[field],
  };
}

/** What a browser would send for a form: inputs with a value, checked boxes, multi-line texts. */
function typedInto(source: string): Record<string, string> {
  const inputs = source.match(/<input[^>]*>/g) ?? [];
  const texts = [...source.matchAll(/(<textarea[^>]*>)\n?([\s\S]*?)<\/textarea>/g)];
  const pairs = [
    ...inputs.map((input) => [
      attribute(input, 'name'),
      attribute(input, 'value') ?? (/ checked\b/.test(input) ? 'on' : undefined),
    ]),
    ...texts.map(([, tag = '', text]) => [attribute(tag, 'name'), unescaped(text)]),
  ];
  return Object.fromEntries(
    pairs.filter(([name, value]) => name !== undefined && value !== undefined),
  );
}

function attribute(tag: string, name: string): string | undefined {
  return unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);
}

function unescaped(text: string | undefined): string | undefined {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text?.replace(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole);
}

/** The path and token of the link in a mail. */
export function linkIn({ config }: TestService, mail: { text: string } | undefined): string {
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  if (!link.startsWith(config.BASE_URL)) throw new Error(`The mail has no link to us: ${link}`);
  return link.slice(config.BASE_URL.length);
}
