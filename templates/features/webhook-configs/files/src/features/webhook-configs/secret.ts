import type { Services } from '../../services.js';
import { seal, unseal } from '../../session/seal.js';
import type { WebhookConfig } from './webhook-config.js';

type Keys = Pick<Services, 'keys'>;

/** Encrypts a signing secret for storage with its configuration. */
export function sealSecret({ keys }: Keys, configId: string, secret: string): string {
  return seal(keys.sealing, contextOf(configId), secret);
}

/** The signing secret; undefined if there is none, or no key opens it any more. */
export function secretOf(
  { keys }: Keys,
  { id, sealedSecret }: Pick<WebhookConfig, 'id' | 'sealedSecret'>,
): string | undefined {
  return sealedSecret === null ? undefined : unseal(keys.sealing, contextOf(id), sealedSecret);
}

function contextOf(configId: string): string {
  return `webhook-secret:${configId}`;
}
