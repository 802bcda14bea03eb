import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message as received, with quoted-printable decoded. */
  message: string;
}

export interface SmtpInbox {
  url: string;
  received: ReceivedMail[];
  /** Mails received, refused ones included. */
  attempts: number;
  /** The credentials that a sender needs; undefined accepts everybody. */
  password: string | undefined;
  /** The status with which it refuses mails, such as 451; undefined accepts them. */
  refusesWith: number | undefined;
}

/** A mail server on loopback that keeps what it receives; it stops with the test. */
export async function startSmtpInbox(): Promise<SmtpInbox> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password, username }, _session, done) {
      if (password === inbox.password) done(null, { user: username });
      else done(Object.assign(new Error('Wrong password'), { responseCode: 535 }));
    },
    onMailFrom(_address, { user }, done) {
      const isKnown = user !== undefined || inbox.password === undefined;
      done(isKnown ? null : Object.assign(new Error('Who are you?'), { responseCode: 530 }));
    },
    onData(stream, { envelope }, done) {
      buffer(stream).then((bytes) => {
        inbox.attempts += 1;
        const responseCode = inbox.refusesWith;
        if (responseCode) return done(Object.assign(new Error('Refused'), { responseCode }));
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          message: unquoted(bytes.toString()),
        });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://127.0.0.1:${port}`;
  const inbox: SmtpInbox = {
    url,
    received,
    attempts: 0,
    password: undefined,
    refusesWith: undefined,
  };
  return inbox;
}

/** RFC 2045 §6.7. */
function unquoted(message: string): string {
  return message
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}
