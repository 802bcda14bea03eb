import { UserError } from '../../src/errors.js';
import { type CookieJar, cookieHeaders, keepCookies } from './cookies.js';
import { waitForMail } from './outbox.js';
import { sayAnswer, sayRemark, sayRequest } from './show.js';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Somebody with a browser, and a mailbox, who uses the service; the steps act through it. */
export interface Visitor {
  /** The account that the steps sign in with; a step may change it. */
  account: { email: string; password: string };
  /**
   * Sends a request below AUTH_PREFIX and shows it with its answer.
   * @throws UserError unless the status is the expected one
   */
  send(method: string, path: string, expected: number, body?: object): Promise<Answer>;
  /** The text of the newest mail with this subject. @throws UserError if none comes */
  mail(subject: string): Promise<string>;
  remark(remark: string): void;
}

export function createVisitor(url: string, folder: string): Visitor {
  const jar: CookieJar = new Map();
  const password = 'correct horse battery staple';
  return {
    account: { email: 'ada@example.com', password },
    remark: sayRemark,
    mail: (subject) => waitForMail(folder, subject),
    async send(method, path, expected, body) {
      sayRequest(method, `/auth${path}`, body);
      const response = await fetch(`${url}/auth${path}`, {
        method,
        headers: { ...cookieHeaders(jar), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch((error: unknown) => {
        throw new UserError(`${method} /auth${path} was not answered: ${String(error)}`);
      });
      const answer = parsed(await response.text());
      sayAnswer(response.status, answer, keepCookies(jar, response.headers.getSetCookie()));
      if (response.status !== expected) {
        throw new UserError(`${method} /auth${path} answers ${response.status}, not ${expected}.`);
      }
      return { status: response.status, body: answer };
    },
  };
}

/** @throws UserError if the claim does not hold; it is the message */
export function expectThat(holds: boolean, claim: string): void {
  if (!holds) throw new UserError(`Not as expected: ${claim}`);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UserError(`This answer is no JSON: ${text}`);
  }
}
