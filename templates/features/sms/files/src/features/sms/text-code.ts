import type { Services } from '../../services.js';
import { type CodeUse, issueCode } from './code.js';
import { codeText } from './texts.js';
import { transports } from './transports.js';

/** Makes a code and texts it to the number that it is for. Call it off the request path. */
export async function textCode(services: Services, use: CodeUse, language?: string): Promise<void> {
  const { config, log } = services;
  const text = codeText(services, await issueCode(services, use), language);
  await transports[config.SMS_TRANSPORT].send(config, log, { to: use.phoneNumber, text });
}
