import * as z from 'zod';
import { entries, text, variable } from './environment.js';

const IN_BRACKETS = /^(?:([^<>"\r\n]{1,100}) )?<(.+)>$/;
const EMAIL = /^[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,255}$/;
const PATH_PREFIX = /^(?:\/[\w~-][\w.~-]*)+$/;
const LOOPBACK = /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/;
const DOMAIN = /^(?:[a-z\d-]{1,63}\.)+[a-z][a-z\d-]{1,62}$/;

/** An http(s) URL without path, query or user info; returned without a trailing slash. */
export function originUrl() {
  return variable(
    'a URL such as https://auth.example.com, without path, query or user info',
    originOf,
  );
}

/** An http(s) URL without query, fragment or user info; returned without a trailing slash. */
export function pageUrl() {
  return variable('a URL such as https://www.example.com, without query or user info', (value) => {
    const url = httpUrl(value);
    if (!url || url.search || url.hash) return undefined;
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  });
}

/** A comma-separated list of origins. No `*`: with credentials it would open the service to every site. */
export function originList() {
  return variable('comma-separated origins such as https://www.example.com (no *)', (value) => {
    const origins = entries(value).map(originOf);
    const isComplete = origins.length > 0 && origins.every((origin) => origin !== undefined);
    return isComplete ? origins : undefined;
  });
}

export function pathPrefix() {
  return text().regex(PATH_PREFIX, 'must be a path such as /auth, without a slash at its end');
}

/** Not `/0`: with everybody a proxy, any client could claim any address. */
const NETWORK = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((network) => !network.endsWith('/0'));

export function proxies() {
  return variable('a number of proxies, or networks such as 10.0.0.0/8,127.0.0.1', (value) => {
    if (/^\d{1,2}$/.test(value)) return Number(value);
    return z.array(NETWORK).nonempty().safeParse(entries(value)).data;
  });
}

/** Where mails are sent: `smtp://` (STARTTLS) or `smtps://` (TLS from the first byte). */
export function smtpUrl() {
  // A query could switch TLS off, against the rules in mail/mailer.ts.
  const pattern = /^smtps?:\/\/[^/?#][^?#]*$/i;
  return serverUrl('smtps://user:secret@mail.example.com, without query', pattern);
}

/** A URL of that pattern, which may have user info; it is refused if that cannot be decoded. */
export function serverUrl(example: string, pattern: RegExp) {
  return variable(`a URL such as ${example} (write % as %25)`, (value) => {
    try {
      decodeURIComponent(value);
    } catch {
      return undefined;
    }
    return pattern.test(value) && URL.canParse(value) ? value : undefined;
  });
}

export function mailbox() {
  return variable('an address such as Example <no-reply@example.com>', (value) => {
    const [, name, address = value] = IN_BRACKETS.exec(value) ?? [];
    return EMAIL.test(address) ? { name, address } : undefined;
  });
}

/** A domain name, such as `example.com`; a leading dot is dropped (RFC 6265 §5.2.3). */
export function domain() {
  return variable('a domain such as example.com', (value) => {
    const name = value.toLowerCase().replace(/^\./, '');
    return DOMAIN.test(name) ? name : undefined;
  });
}

/** True for a host that is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

function originOf(value: string): string | undefined {
  const url = httpUrl(value);
  return url && `${url.origin}/` === url.href && !value.endsWith('?') ? url.origin : undefined;
}

/** The http(s) URL, without user info; undefined for anything else. */
export function httpUrl(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isPlain = !url?.username && !url?.password && !url?.hostname.includes('*');
  return isHttp && isPlain ? url : undefined;
}
