import { UserError } from '../../src/errors.js';
import { createAccount } from './admin-command.js';
import { type CookieJar, cookieHeaders, keepCookies } from './cookies.js';
import { waitForMail } from './outbox.js';
import type { DemoService } from './service.js';
import { sayAnswer, sayRemark, sayRequest } from './show.js';
import type { LayerDemo } from './step.js';
import { waitForText } from './texts.js';

export interface Answer {
  status: number;
  headers: Headers;
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
  /** The token in the newest mail with this subject. @throws UserError if none comes */
  mailedToken(subject: string): Promise<string>;
  /** The code in the newest text message, which development writes to the log. @throws UserError if none comes */
  textedCode(): Promise<string>;
  /** Opens the account: by registration, or as an administrator does. */
  openAccount(): Promise<void>;
  /** Signs in by the first method that the service has. @returns the answer: tokens are cookies, or a challenge */
  signIn(): Promise<Answer>;
  remark(remark: string): void;
}

/** How a visitor signs in by one method, in one or more requests. */
export type SignIn = (visitor: Visitor) => Promise<Answer>;

export function createVisitor(service: DemoService, folder: string, layers: LayerDemo[]): Visitor {
  const { url } = service;
  const jar: CookieJar = new Map();
  const password = 'correct horse battery staple';
  const visitor: Visitor = {
    account: { email: 'ada@example.com', password },
    remark: sayRemark,
    mail: (subject) => waitForMail(folder, subject),
    async mailedToken(subject) {
      const link = /https?:\S+token=([0-9a-f]+)/.exec(await waitForMail(folder, subject));
      if (!link?.[1]) throw new UserError(`The mail "${subject}" has no link with a token.`);
      sayRemark(`mail: ${link[0]}`);
      return link[1];
    },
    async textedCode() {
      const code = await waitForText(service);
      sayRemark(`text message: ${code}`);
      return code;
    },
    async openAccount() {
      const open = layers.find((layer) => layer.openAccount)?.openAccount;
      await (open ? open(visitor) : createAccount(folder, visitor.account));
    },
    async signIn() {
      const first = layers.find((layer) => layer.signIn)?.signIn;
      if (!first) throw new UserError('The service has no method to sign in by.');
      return first(visitor);
    },
    async send(method, path, expected, body) {
      sayRequest(method, `/auth${path}`, body);
      const response = await fetch(`${url}/auth${path}`, {
        method,
        redirect: 'manual',
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
      return { status: response.status, headers: response.headers, body: answer };
    },
  };
  return visitor;
}

/** @throws UserError if the claim does not hold; it is the message */
export function expectThat(holds: boolean, claim: string): void {
  if (!holds) throw new UserError(`Not as expected: ${claim}`);
}

function parsed(text: string): Record<string, unknown> {
  // A redirect has no body.
  if (text === '') return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UserError(`This answer is no JSON: ${text}`);
  }
}
