import { isIP, isIPv4 } from 'node:net';
import { entries, variable } from './parsers.js';

const MAILBOX = /^(?:[^<>"\r\n]{1,100} )?<?([^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,255})>?$/;
const EMAIL = /^[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,255}$/;
const PATH_PREFIX = /^(?:\/[\w~-][\w.~-]*)+$/;

/** An http(s) URL without path, query or user info; given back without a slash at its end. */
export function originUrl() {
  return variable(
    'a URL such as https://auth.example.com, without path, query or user info',
    (text) => originOf(text),
  );
}

/** An http(s) URL without query, fragment or user info; given back without a slash at its end. */
export function pageUrl() {
  return variable('a URL such as https://www.example.com, without query or user info', (text) => {
    const url = httpUrl(text);
    if (!url || url.search || url.hash) return undefined;
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  });
}

/** A comma list of origins. No `*`: with credentials it would open the service to every site. */
export function originList() {
  return variable('a comma list of origins such as https://www.example.com (no *)', (text) => {
    const origins = allOf(entries(text), originOf);
    return origins && [...new Set(origins)];
  });
}

/** A path that routes are mounted under, such as `/auth`. */
export function pathPrefix() {
  return variable('a path such as /auth, without a slash at its end', (text) =>
    PATH_PREFIX.test(text) ? text : undefined,
  );
}

/** How many proxies stand in front, or the comma list of their addresses (CIDR). */
export function proxies() {
  return variable('a number of proxies, or a comma list such as 10.0.0.0/8,127.0.0.1', (text) => {
    if (/^\d{1,2}$/.test(text)) return Number(text);
    return allOf(entries(text), (entry) => (isNetwork(entry) ? entry : undefined));
  });
}

/** Where mails are handed over: `smtp://` (STARTTLS) or `smtps://` (TLS from the first byte). */
export function smtpUrl() {
  return variable('a URL such as smtps://user:secret@mail.example.com, without query', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
    // A query could switch TLS off behind the back of the rules in mail/smtp.ts.
    return isSmtp && url.hostname !== '' && !url.search && !url.hash ? text : undefined;
  });
}

/** `name@example.com`, or `Name <name@example.com>`. */
export function mailbox() {
  return variable('an address such as Example <no-reply@example.com>', (text) =>
    MAILBOX.test(text) ? text : undefined,
  );
}

/** `name@example.com`. */
export function emailAddress() {
  return variable('an email address', (text) => (EMAIL.test(text) ? text : undefined));
}

/** The name of a domain, such as `example.com`; a dot in front is dropped (RFC 6265 §5.2.3). */
export function domain() {
  return variable('a domain such as example.com', (text) => {
    const name = text.toLowerCase().replace(/^\./, '');
    return /^(?:[a-z\d-]{1,63}\.)+[a-z][a-z\d-]{1,62}$/.test(name) ? name : undefined;
  });
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isPlain = !url?.username && !url?.password && !url?.hostname.includes('*');
  return isHttp && isPlain ? url : undefined;
}

function originOf(text: string): string | undefined {
  const url = httpUrl(text);
  return url && `${url.origin}/` === url.href && !text.endsWith('?') ? url.origin : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

function allOf<T>(items: string[], read: (item: string) => T | undefined): T[] | undefined {
  const values = items.map(read).filter((value) => value !== undefined);
  return values.length > 0 && values.length === items.length ? values : undefined;
}
