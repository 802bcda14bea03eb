import { panelTexts } from '../../admin-panel/texts.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { webhookConfigsAdmin } from '../admin/feature.js';

/** The texts of every kind of webhook, with those of the panel. */
export const texts = defineTexts({
  en: {
    ...panelTexts.en,
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    kind: 'Kind',
    events: 'Events',
    secret: 'Secret',
    on: 'On',
    off: 'Off',
    filter: 'URL or provider',
    create: 'Create',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    deleteText: 'The webhook and all that is kept of it are deleted. This cannot be undone.',
    deleted: 'The webhook is deleted.',
    duration: 'Duration',
  },
  de: {
    ...panelTexts.de,
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    kind: 'Art',
    events: 'Ereignisse',
    secret: 'Geheimnis',
    on: 'An',
    off: 'Aus',
    filter: 'URL oder Anbieter',
    create: 'Anlegen',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    deleteText:
      'Der Webhook und alles, was dazu aufgezeichnet ist, werden gelöscht. Das lässt sich nicht rückgängig machen.',
    deleted: 'Der Webhook ist gelöscht.',
    duration: 'Dauer',
  },
});

export const errorTexts: ErrorTextsOf<typeof webhookConfigsAdmin> = {
  de: {
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht.',
    WEBHOOK_EXISTS: 'Ein anderer Webhook nimmt schon die Aufrufe dieses Anbieters an.',
    SECRET_REQUIRED: 'Ein Webhook, dessen Aktionen etwas ändern, braucht ein Geheimnis.',
    'Use names of events, or *.': 'Geben Sie Namen von Ereignissen ein, oder *.',
  },
};
