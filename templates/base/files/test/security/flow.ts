import { mountsOf, type Route } from '../../src/http/route.js';
import { type Answer, browser, type Client } from '../client.js';
import { flows } from '../flows.js';
import { startTestService, type TestEnvironment, type TestService } from '../service.js';
import { type SignedIn, signInAs } from '../sign-in-as.js';

/** A way to sign in, or to confirm something by what was mailed, texted or shown. */
export interface Flow {
  /** The route of its last request, as the route table has it: `POST /refresh`. */
  route: string;
  /** The method's name in sessions, if it signs in. */
  method?: string;
  /** True if it finishes a sign-in after another method. */
  isSecondStep?: boolean;
  /** True if the last request may be sent again. All others work once. */
  isRepeatable?: boolean;
  /** True if its last request proves that the account's address belongs to its owner. */
  provesAddress?: boolean;
  /** True if only the last request tells whose sign-in it is: nothing before it belongs to an account. */
  isBoundLate?: boolean;
  /** What the service must be started with. */
  variables?: TestEnvironment;
  /** Gives an account what the flow needs, such as a phone. */
  enrol?(service: TestService, person: SignedIn): Promise<unknown>;
  /**
   * Everything but the last request, from `client` unless it takes a session. A second step answers the challenge
   * `tempToken`, by default one of its own.
   */
  start(
    service: TestService,
    person: SignedIn,
    client: Client,
    tempToken?: string,
  ): Promise<LastStep>;
}

export interface LastStep {
  /** What was mailed, texted, shown or is known; absent if a session is enough. */
  secret?: string;
  /** Sends the last request, with the secret or with another. */
  send(secret?: string): Promise<Answer>;
}

/** Makes a flow for one test. */
export type MakeFlow = () => Flow | Promise<Flow>;

/** A service, and every flow that it has. */
export async function startWithFlows(variables: TestEnvironment = {}) {
  const made = await Promise.all(
    Object.values(flows)
      .flat()
      .map((make) => make()),
  );
  const needed = Object.assign({}, ...made.map((flow) => flow.variables ?? {}));
  return { service: await startTestService({ ...needed, ...variables }), flows: made };
}

/** True for a flow that signs in on its own. */
export function isWayIn({ method, isSecondStep = false }: Flow): boolean {
  return method !== undefined && !isSecondStep;
}

/** A new user who has completed all of a flow but its last step. */
export async function atLastStep(service: TestService, flow: Flow, client = browser(service)) {
  const person = await signInAs(service);
  await flow.enrol?.(service, person);
  return { person, ...(await flow.start(service, person, client)) };
}

/** What a response granted: a session, a challenge for one more step, another success, or nothing. */
export function outcomeOf({ status, body, headers, setCookies }: Answer) {
  const page = headers.get('location') ?? '';
  const isSet = ({ name, maxAge }: { name: string; maxAge?: number | undefined }) =>
    /(access|refresh)Token$/.test(name) && maxAge !== 0;
  if (body?.accessToken || setCookies.some(isSet)) return 'session';
  if (body?.tempToken || page.includes('#tempToken=')) return 'challenge';
  return status >= 400 || /[?&](error|code)=/.test(page) ? 'refused' : 'done';
}

/** All mounted routes with their full paths, for attacks on each of them. */
export function routesOf({ services }: TestService): Route[] {
  return mountsOf(services).flatMap(({ prefix, routes }) =>
    routes.map((route) => ({ ...route, path: prefix + route.path })),
  );
}

/** Fills in a path's parameters; the last value serves for all that are left. */
export function fill(path: string, ...values: string[]): string {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[at++] ?? values.at(-1) ?? ''));
}

/** True for a route that changes something, and takes a body. */
export function isUnsafe({ method }: Route): boolean {
  return method !== 'GET';
}
