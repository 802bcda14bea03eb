import type { Db } from '../../db/schema.js';
import { databaseQueue } from './database-queue.js';
import { type DeliveryLog, deliveryLog } from './delivery-log.js';
import { type FormerSecretStore, formerSecretStore } from './former-secret-store.js';
import { type HealthStore, healthStore } from './health-store.js';
import type { DeliveryQueue } from './queue.js';

export interface WebhooksStore {
  queue: DeliveryQueue;
  health: HealthStore;
  log: DeliveryLog;
  formerSecrets: FormerSecretStore;
}

/** The outbox on the service's database. */
export function webhooksStore(db: Db): WebhooksStore {
  return {
    queue: databaseQueue(db),
    health: healthStore(db),
    log: deliveryLog(db),
    formerSecrets: formerSecretStore(db),
  };
}
