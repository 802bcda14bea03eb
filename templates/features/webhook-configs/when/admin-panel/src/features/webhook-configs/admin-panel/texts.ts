import { panelTexts } from '../../admin-panel/texts.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { webhookConfigsAdmin } from '../admin/feature.js';

/** The texts of every kind of webhook, with those of the panel. */
export const texts = defineTexts({
  ...panelTexts,
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  webhook: { en: 'Webhook', de: 'Webhook' },
  kind: { en: 'Kind', de: 'Art' },
  events: { en: 'Events', de: 'Ereignisse' },
  secret: { en: 'Secret', de: 'Geheimnis' },
  on: { en: 'On', de: 'An' },
  off: { en: 'Off', de: 'Aus' },
  filter: { en: 'URL or provider', de: 'URL oder Anbieter' },
  create: { en: 'Create', de: 'Anlegen' },
  turnOn: { en: 'Turn on', de: 'Einschalten' },
  turnOff: { en: 'Turn off', de: 'Ausschalten' },
  deleteText: {
    en: 'The webhook and everything stored about it are deleted. This cannot be undone.',
    de: 'Der Webhook und alles, was dazu aufgezeichnet ist, werden gelöscht. Das lässt sich nicht rückgängig machen.',
  },
  deleted: { en: 'The webhook is deleted.', de: 'Der Webhook ist gelöscht.' },
  duration: { en: 'Duration', de: 'Dauer' },
});

export const errorTexts: ErrorTextsOf<typeof webhookConfigsAdmin> = {
  de: {
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht.',
    WEBHOOK_EXISTS: 'Ein anderer Webhook nimmt schon die Aufrufe dieses Anbieters an.',
    SECRET_REQUIRED: 'Ein Webhook, dessen Aktionen etwas ändern, braucht ein Geheimnis.',
    'Use names of events, or *.': 'Geben Sie Namen von Ereignissen ein, oder *.',
  },
};
