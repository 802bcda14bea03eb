import type { Config } from '../../config.js';
import type { ErrorCode } from '../../feature.js';
import type { Html, HtmlValue } from '../../http/html.js';
import { get, post, type Result, type Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import { Fields, show, submitForm } from './answer.js';
import type { Asset } from './assets.js';
import type { RouteName } from './run-route.js';
import type { Visit } from './visit.js';

/** What a form of a page does. */
export interface Form<V extends Visit = Visit> {
  /** The route of the API that takes it: its schema, limits, access and rule count. */
  submits: RouteName;
  /** What the route gets beside the fields, or instead of them. */
  input?(visit: V, fields: Record<string, string>): Record<string, unknown>;
  /** True if it takes what was carried to the page, such as the token of a mailed link, which is then used up. */
  usesCarried?: boolean;
  /** A single-purpose token that the route takes instead of a session. */
  bearer?(visit: V): string | undefined;
  /** The body of the route, if that is not its fields. */
  body?(fields: Record<string, string>): unknown;
  /** Where to go on, as a path (303), or what to show at once. Absent: the same page, with `?done=<form>`. */
  next?(
    visit: V,
    result: Result,
    fields: Record<string, string>,
  ): string | Html | Promise<string | Html>;
  /** The fields that errors of the route belong to: `{ NAME_TAKEN: 'name' }`. */
  beside?: Partial<Record<ErrorCode, string>>;
  /** True for what the browser saves: it gets the answer of the route as it is. */
  isDownload?: boolean;
}

type Forms<V extends Visit> = Record<string, Form<V>>;

/** A page, as data: what it shows, and what its forms do. */
export interface Page<V extends Visit = Visit> {
  /** Below the prefix of its feature: `/ui/login`. */
  path: string;
  title(visit: V): HtmlValue | Promise<HtmlValue>;
  content(visit: V): Html | Promise<Html>;
  /** By name, as their buttons say; a function where features contribute some. */
  forms?: Forms<V> | ((services: Services) => Forms<V>);
  /** True for lists and tables. */
  isWide?: boolean;
  /** Somewhere else to go instead of showing it. */
  elsewhere?(visit: V): string | undefined | Promise<string | undefined>;
  /** Style sheets and scripts beside those of every page. */
  assets?: readonly Asset[];
  /** Beside the page, for one of many; makes it wide. */
  navigation?(visit: V): Promise<Html>;
  /** True for where mailed links lead: the token of the address is carried, see `carry`. */
  takesToken?: boolean;
  /** The prefix of the routes that its forms submit to; AUTH_PREFIX if absent. */
  api?(config: Config): string;
  isMounted?(config: Config): boolean;
}

/** The `input` of a form whose route sends a mail or a text: in the language of the page. */
export function inLanguage({ language }: Visit): { emailLang: string } {
  return { emailLang: language };
}

/**
 * The routes of a page. With `isSignedIn` its functions always get a caller: whoever is not signed in comes back to it
 * after they have signed in.
 */
export function routesOf(page: Page, isSignedIn: boolean): Route[] {
  const { path, isMounted, forms } = page;
  // No CSRF cookie: forms have a guard of their own.
  const kind = { isPage: true, isProbe: true, ...(isMounted ? { isMounted } : {}) };
  const shown = get(path, { ...kind, summary: 'Page' }, (call) => show(page, isSignedIn, call));
  if (!forms) return [shown];
  const taken = post(path, { ...kind, summary: 'Form', form: true, body: Fields }, (call) =>
    submitForm(page, isSignedIn, call),
  );
  return [shown, taken];
}
