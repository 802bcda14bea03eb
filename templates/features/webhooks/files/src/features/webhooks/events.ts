export interface WebhooksEvents {
  'identity.webhook.deactivated': { webhookId: string; reason: 'gone' | 'unreachable' };
  'identity.webhook.test': { webhookId: string };
}
