import { t as ofPanel } from '../../admin-panel/texts.js';
import { type TextsOf, translator } from '../../pages/texts.js';
import type { webhookConfigsAdmin } from '../admin/feature.js';

export const t = translator({
  de: {
    ...ofPanel.texts.de,
    Webhooks: 'Webhooks',
    Webhook: 'Webhook',
    Kind: 'Art',
    Events: 'Ereignisse',
    Secret: 'Geheimnis',
    On: 'An',
    Off: 'Aus',
    'URL or provider': 'URL oder Anbieter',
    Create: 'Anlegen',
    'Turn on': 'Einschalten',
    'Turn off': 'Ausschalten',
    'The webhook and everything stored about it are deleted. This cannot be undone.':
      'Der Webhook und alles, was dazu aufgezeichnet ist, werden gelöscht. Das lässt sich nicht rückgängig machen.',
    'The webhook is deleted.': 'Der Webhook ist gelöscht.',
    Duration: 'Dauer',
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht.',
    WEBHOOK_EXISTS: 'Ein anderer Webhook nimmt schon die Aufrufe dieses Anbieters an.',
    SECRET_REQUIRED: 'Ein Webhook, dessen Aktionen etwas ändern, braucht ein Geheimnis.',
    'Use names of events, or *.': 'Geben Sie Namen von Ereignissen ein, oder *.',
  },
} satisfies TextsOf<typeof webhookConfigsAdmin>);
