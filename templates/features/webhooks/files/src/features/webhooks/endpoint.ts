import type { Services } from '../../services.js';
import { secretOf } from '../webhook-configs/secret.js';

/** What a dispatcher has to know of an endpoint. */
export interface Endpoint {
  id: string;
  url: string;
  maxRetries: number;
  retryDelayMs: number;
  /** The present secret, and the former one for a day after it was replaced; none for unsigned events. */
  secrets: string[];
}

/** The endpoint as it is configured now; undefined if it is gone or off. */
export async function readEndpoint(services: Services, id: string): Promise<Endpoint | undefined> {
  const config = await services.webhookConfigs.find(id);
  if (!config?.isActive || config.url === null) return undefined;
  const { url, maxRetries, retryDelayMs } = config;
  const former = await services.webhooks.formerSecrets.find(id);
  const sealed = [config.sealedSecret, ...(former === undefined ? [] : [former])];
  const secrets = sealed.flatMap((sealedSecret) => secretOf(services, { id, sealedSecret }) ?? []);
  return { id, url, maxRetries, retryDelayMs, secrets };
}
