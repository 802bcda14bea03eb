/**
 * A client of the service for pages and apps: no dependencies, any framework. `npm run client` writes the types of your
 * routes, `api.ts`, beside this file; copy both to where they are used.
 *
 *     const auth = createAuthClient<Api>({ url: 'https://auth.example.com/auth' });
 *     const user = await auth.call('GET /me');
 */

/** What a route takes and returns: an entry of `Api`, whose key is the route's name such as `POST /refresh`. */
interface Operation {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  reply?: unknown;
}

type Given<Each> = Omit<Each, 'reply'>;
/** An argument whose fields are all optional may be left out. */
type Arguments<Each> = object extends Given<Each> ? [given?: Given<Each>] : [given: Given<Each>];
type ReplyOf<Each> = Each extends { reply: infer Reply } ? Reply : undefined;

export interface AuthClient<Api> {
  /** Calls a route; refreshes the session first if necessary. Throws AuthError if the service refuses. */
  call<Name extends keyof Api & string>(
    name: Name,
    ...given: Arguments<Api[Name]>
  ): Promise<ReplyOf<Api[Name]>>;
}

/** Tokens that the client carries itself. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Where tokens are kept, such as the system's keychain. */
export interface TokenStorage {
  read(): Promise<Tokens | undefined> | Tokens | undefined;
  write(tokens: Tokens | undefined): Promise<void> | void;
}

export interface AuthClientOptions {
  /** Where the service's routes are: BASE_URL and AUTH_PREFIX. */
  url: string;
  /** For native apps and pages of another site: tokens instead of cookies. */
  tokens?: TokenStorage;
  /** Called only if a session ends in which `GET /me` or a refresh had succeeded: a sign-in page may call `GET /me` too. */
  onSignedOut?(): void;
  /** Default: the platform's own. */
  fetch?: typeof globalThis.fetch;
}

/** Keeps tokens until the page is closed. Whatever a page can read later, injected scripts can read too. */
export function tokensInMemory(): TokenStorage {
  let kept: Tokens | undefined;
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens;
    },
  };
}

/** An error response. */
export class AuthError extends Error {
  readonly status: number;
  /** As the service's documentation names it; empty if a proxy responded. */
  readonly code: string;
  /** The invalid fields, for VALIDATION_FAILED. */
  readonly details: { path: string; message: string }[];
  /** Seconds to wait before trying again, if the response says so in seconds: a proxy may name a date instead. */
  readonly retryAfter: number | undefined;
  /** The whole response body: some refusals carry more, such as a `tempToken`. */
  readonly body: Record<string, unknown>;

  constructor({ status, headers }: Response, body: Record<string, unknown>) {
    const { code = '', error = `HTTP status ${status}`, details = [] } = body;
    super(String(error));
    this.name = 'AuthError';
    this.status = status;
    this.code = String(code);
    this.details = details as AuthError['details'];
    this.retryAfter = Number.parseInt(headers.get('retry-after') ?? '', 10) || undefined;
    this.body = body;
  }
}

/** Browser features that other platforms may lack. */
interface Browser {
  AbortSignal?: { timeout?(milliseconds: number): AbortSignal };
  document?: { cookie: string };
  localStorage?: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  navigator?: { locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> } };
}

// The last: one of a former COOKIE_DOMAIN often comes first. One without a prefix, which others can set, only if alone.
const CSRF_COOKIE = /(?:.*(?:^|; )__(?:Host|Secure)-|.*(?:^|; ))csrf-token=([^;]*)/;

/** A client of one service. Tabs of one browser share a refresh, and so do requests that fail together. */
export function createAuthClient<Api extends { [Name in keyof Api]: Operation }>({
  url,
  tokens,
  onSignedOut,
  fetch = globalThis.fetch,
}: AuthClientOptions): AuthClient<Api> {
  const browser = globalThis as Browser;
  const refreshedAt = `auth-refreshed:${url}`;
  let refreshing: Promise<boolean> | undefined;
  let lastRefresh = '';
  let isSignedIn = false;
  let refusedToken: string | undefined;

  async function send(method: string, path: string, body: unknown) {
    const sent = await credentials();
    // Other tabs wait for it; a lost response can be had again within REFRESH_REUSE_WINDOW. React Native has no `timeout`.
    const signal = path === '/refresh' ? browser.AbortSignal?.timeout?.(8_000) : undefined;
    const response = await fetch(url + path, {
      method,
      ...(signal && { signal }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...sent },
      credentials: tokens ? 'omit' : 'include',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, reply: await bodyOf(response), sent };
  }

  async function credentials(): Promise<Record<string, string>> {
    if (tokens) {
      const held = await tokens.read();
      const authorization = held && { authorization: `Bearer ${held.accessToken}` };
      return { 'x-auth-strategy': 'bearer', ...authorization };
    }
    const cookies = browser.document?.cookie.replace(`csrf-token=${refusedToken}`, '') ?? '';
    const csrfToken = CSRF_COOKIE.exec(cookies)?.[1];
    return csrfToken ? { 'x-csrf-token': csrfToken } : {};
  }

  /** Changes with each refresh, in any tab. */
  async function sessionMark(): Promise<string | undefined> {
    if (tokens) return (await tokens.read())?.refreshToken;
    try {
      return `${browser.localStorage?.getItem(refreshedAt)} ${lastRefresh}`;
    } catch {
      return lastRefresh;
    }
  }

  /** Refreshes unless another call or tab has done so since `mark` was read; false if the session has ended. */
  function refresh(mark: string | undefined): Promise<boolean> {
    const work = async () => ((await sessionMark()) === mark ? exchange(mark) : true);
    refreshing ??= (browser.navigator?.locks?.request(refreshedAt, work) ?? work()).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function exchange(mark: string | undefined): Promise<boolean> {
    // Empty: the token of a set-up, which cannot be refreshed.
    if (tokens && !mark) return false;
    const { response, reply } = await send('POST', '/refresh', { refreshToken: tokens && mark });
    // A sign-in or sign-out meanwhile takes precedence: these tokens are of the session before it.
    if (tokens && (await sessionMark()) !== mark) return true;
    if (response.status === 401) return false;
    if (!response.ok) throw new AuthError(response, reply);
    await keep(reply);
    isSignedIn = true;
    if (tokens) return true;
    lastRefresh = String(Date.now());
    try {
      // Other tabs read it there. If writing fails, as when the storage is full, each tab refreshes for itself.
      browser.localStorage?.setItem(refreshedAt, lastRefresh);
    } catch {}
    return true;
  }

  async function keep(reply: Partial<Tokens> | null): Promise<void> {
    const { accessToken, refreshToken } = reply ?? {};
    if (accessToken && refreshToken) await tokens?.write({ accessToken, refreshToken });
  }

  /** False if a sign-in has replaced the tokens, or the session's CSRF token, since these were sent. */
  async function isCurrent(sent: Record<string, string>): Promise<boolean> {
    const held = await credentials();
    return Object.entries(sent).every(([name, value]) => held[name] === value);
  }

  async function signOutIfEnded(code: unknown, sent: Record<string, string>): Promise<void> {
    if (code !== 'INVALID_TOKEN' && code !== 'SESSION_REVOKED') return;
    if (!(await isCurrent(sent))) return;
    await tokens?.write(undefined);
    if (isSignedIn) onSignedOut?.();
    isSignedIn = false;
  }

  async function call(name: string, { body, ...address }: Operation = {}) {
    const [method = '', template = ''] = name.split(' ');
    const path = pathOf(template, address);
    const attempt = async () => {
      const result = await send(method, path, body);
      if (result.reply?.code !== 'CSRF_INVALID') return result;
      // The refusal set a valid cookie; once COOKIE_DOMAIN is taken back, it stands before the refused one (RFC 6265 §5.4).
      refusedToken = result.sent['x-csrf-token'];
      return send(method, path, body);
    };
    const mark = await sessionMark();
    let result = await attempt();
    // What one user sends must change nothing for another who signs in meanwhile, in another tab.
    const isMine = tokens || method === 'GET' || (await isCurrent(result.sent));
    const isExpired = result.reply?.code === 'INVALID_TOKEN';
    if (isExpired && isMine && (await refresh(mark))) result = await attempt();
    const { response, reply, sent } = result;
    if (!response.ok) {
      await signOutIfEnded(reply.code, sent);
      throw new AuthError(response, reply);
    }
    await keep(reply);
    if (name === 'GET /me' || path === '/logout') isSignedIn = name === 'GET /me';
    if (path === '/logout') await tokens?.write(undefined);
    return reply;
  }

  return { call: call as AuthClient<Api>['call'] };
}

/** `/sessions/{handle}` with its parameters and its query. Throws if a parameter would lead to another route. */
function pathOf(template: string, { params = {}, query = {} }: Operation): string {
  const path = template.replace(/\{(\w+)\}/g, (_, key) => {
    const value = params[key] ?? '';
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`The parameter ${key} is "${value}".`);
    return encodeURIComponent(value);
  });
  // React Native's has no `size` and no `set`.
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.append(key, String(value));
  }
  return `${path}?${search.toString()}`.replace(/\?$/, '');
}

/** Empty if it is no JSON, such as a proxy's page while the service restarts. Throws for a success with broken JSON. */
async function bodyOf(response: Response) {
  const isJson = response.headers.get('content-type')?.includes('json');
  const text = isJson ? await response.text() : '{}';
  if (response.ok) return JSON.parse(text);
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
