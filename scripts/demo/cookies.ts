/** The cookies that a browser would hold for one service, by name. */
export type CookieJar = Map<string, string>;

/**
 * Keeps the cookies of an answer, and drops those that it deletes.
 * @returns a line for people about each: name, life, who can read it; none where nothing was to be deleted
 */
export function keepCookies(jar: CookieJar, headers: string[]): string[] {
  return headers.flatMap((header) => {
    const [pair = '', ...attributes] = header.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const seconds = Number(/^Max-Age=(\d+)$/im.exec(attributes.join('\n'))?.[1]);
    if (seconds === 0) return jar.delete(name) ? `deletes ${name}` : [];
    jar.set(name, value);
    return `sets ${[name, ...attributes].join('; ')}`;
  });
}

/** What a page sends: its cookies, and the CSRF token a second time as a header. */
export function cookieHeaders(jar: CookieJar): Record<string, string> {
  if (jar.size === 0) return {};
  const csrf = [...jar].find(([name]) => name.endsWith('csrf-token'));
  return {
    cookie: [...jar].map((pair) => pair.join('=')).join('; '),
    ...(csrf ? { 'x-csrf-token': csrf[1] } : {}),
  };
}
