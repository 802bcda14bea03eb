import { type Texts, translator } from '../../pages/language.js';
import { t as ofWebhooks } from '../../webhook-configs/admin-panel/feature.js';

export const t = translator({
  de: {
    ...ofWebhooks.texts.de,
    Outgoing: 'Ausgehend',
    'New outgoing webhook': 'Neuer ausgehender Webhook',
    'Change this webhook': 'Diesen Webhook ändern',
    URL: 'URL',
    'http or https.': 'http oder https.',
    'http or https, not in a private network.': 'http oder https, nicht in einem privaten Netz.',
    'Names separated by spaces; * for all.': 'Namen, durch Leerzeichen getrennt; * für alle.',
    'Events of this service': 'Ereignisse dieses Dienstes',
    Retries: 'Wiederholungen',
    'Delay before the first retry, in ms': 'Wartezeit vor der ersten Wiederholung, in ms',
    'It doubles with each further retry.': 'Sie verdoppelt sich mit jeder weiteren Wiederholung.',
    'Set. Every delivery is signed with it.': 'Gesetzt. Jede Zustellung ist damit signiert.',
    'None. Deliveries are not signed.': 'Keines. Zustellungen sind nicht signiert.',
    'This is the secret that deliveries are signed with. Copy it to the receiver now: it is not shown again.':
      'Mit diesem Geheimnis werden Zustellungen signiert. Hinterlegen Sie es jetzt beim Empfänger: Es wird nicht noch einmal angezeigt.',
    WEBHOOK_INACTIVE: 'Dieser Webhook ist ausgeschaltet: Schalten Sie ihn zuerst ein.',
    'Back to the webhook': 'Zurück zum Webhook',
    'Send a test event': 'Testereignis senden',
    'The test is the newest delivery.': 'Der Test ist die neueste Zustellung.',
    'Replace the secret': 'Geheimnis ersetzen',
    'A new secret is generated and shown once. X-Webhook-Signature uses it at once; in webhook-signature the old one signs too, for 24 hours.':
      'Ein neues Geheimnis wird erzeugt und einmal angezeigt. X-Webhook-Signature nutzt es sofort; in webhook-signature signiert 24 Stunden lang auch das alte.',
    'Deliveries failing': 'Fehlschlagende Zustellungen',
    Deliveries: 'Zustellungen',
    Delivery: 'Zustellung',
    Attempts: 'Versuche',
    'Next attempt': 'Nächster Versuch',
    Status: 'Status',
    Response: 'Antwort',
    Body: 'Inhalt',
    'The receiver took too long.': 'Der Empfänger hat zu lange gebraucht.',
    'The receiver closed the connection without a response.':
      'Der Empfänger hat die Verbindung ohne Antwort geschlossen.',
    'Not sent: no key of DATA_KEY opens the secret.':
      'Nicht gesendet: Kein Schlüssel in DATA_KEY öffnet das Geheimnis.',
    'The service was stopped.': 'Der Dienst wurde angehalten.',
    'The request failed: #': 'Der Aufruf ist gescheitert: #',
    'The address is not public. WEBHOOK_ALLOW_PRIVATE=on would allow it.':
      'Die Adresse ist nicht öffentlich. WEBHOOK_ALLOW_PRIVATE=on würde sie erlauben.',
    Waiting: 'Wartet',
    Retrying: 'Wird wiederholt',
    Delivered: 'Zugestellt',
    'Given up': 'Aufgegeben',
    'Permanently refused': 'Endgültig abgelehnt',
    'Send again': 'Noch einmal senden',
    'It is being sent again.': 'Sie ist noch einmal unterwegs.',
    'Use an http or https URL.': 'Geben Sie eine URL mit http oder https ein.',
    'A URL must not contain user info.': 'Die URL darf keine Zugangsdaten enthalten.',
  },
} satisfies Texts);
