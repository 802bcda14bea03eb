import { Agent } from 'undici';
import { guardedConnector } from './guarded-connector.js';

/** Opens what keeps the connections to receivers; `answerMs` bounds each silence of theirs. */
export function openAgent(allowPrivate: boolean, answerMs: number): Agent {
  return new Agent({
    connect: guardedConnector(allowPrivate),
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxHeaderSize: 16 * 1024,
  });
}
