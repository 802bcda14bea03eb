import type { Config } from '../../config.js';
import type { ErrorCode } from '../../feature.js';
import type { Html, HtmlValue, Text } from '../../http/html.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Fields } from './carried.js';
import type { Asset } from './layout.js';
import type { RouteName } from './run-route.js';
import type { SignedIn, Visit } from './visit.js';

/** What a form of a page does. */
export interface Form<V extends Visit = Visit> {
  /** The API route that it runs, with that route's schema, limits, access and handler. */
  submits: RouteName;
  /** The body for the route, if it differs from the fields as sent. */
  input?(fields: Fields, visit: V): unknown;
  /** True if a later form of the page needs the carried fields too, such as the token of a mailed link. */
  keepsCarried?: boolean;
  /** Where to continue, as a path (303), or what to show at once. Absent: the same page, with `?done=<form>`. */
  next?(visit: V, result: Result, fields: Fields): string | Html | Promise<string | Html>;
  /** The message after it, if the same page comes next or `next` is shown. */
  done?: Text;
  /** The fields that errors of the route belong to: `{ NAME_TAKEN: 'name' }`. */
  beside?: Partial<Record<ErrorCode, string>>;
}

type Forms<V extends Visit> = Record<string, Form<V>>;

/** A page, as data: what it shows, and what its forms do. */
export interface Page<V extends Visit = Visit> {
  title(visit: V): HtmlValue | Promise<HtmlValue>;
  content(visit: V): Html | Promise<Html>;
  /** By the name that their buttons send; a function where features contribute some. */
  forms?: Forms<V> | ((services: Services) => Forms<V>);
  /** The message after a form that has no `done` of its own. */
  done?: Text;
  /** True if a visitor who is not signed in goes through the sign-in first: its functions always get a caller. */
  isPrivate?: boolean;
  /** True for lists and tables. */
  isWide?: boolean;
  /** A path to redirect to instead of showing the page. */
  elsewhere?(visit: V): string | undefined | Promise<string | undefined>;
  /** Style sheets and scripts beside those of every page. */
  assets?: readonly Asset[];
  /** True if forms of other pages are sent through it to renew their session, and forwarded. */
  forwardsForms?: boolean;
  /** Shown beside the page, if it is one of many; makes it wide. */
  navigation?(visit: V): Promise<Html>;
  /** For a page that mailed links lead to, whose token is carried (see `carry`): the page that mails another link. */
  takesTokenFrom?: string;
  /** The prefix of the routes that its forms submit to; AUTH_PREFIX if absent. */
  api?(config: Config): string;
  isMounted?(config: Config): boolean;
}

/** Pages by their path below the prefix of their feature, such as `/ui/login`. */
export type Pages<Kind = Page> = Readonly<Record<string, Kind>>;

/** A page of the account: it has a row in the list of these pages, and a link back to it. */
export interface AccountPage extends Page<SignedIn> {
  section: 'about' | 'access' | 'data';
  /** The position of its row in the section. */
  order: number;
  /** Its state in a few words, for its row; undefined if there is nothing to see or to do. */
  state(visit: SignedIn): HtmlValue | Promise<HtmlValue>;
}
