import { defineTexts, type ErrorTexts } from '../../pages/language.js';
import { texts as common } from '../../webhook-configs/admin-panel/texts.js';

export const texts = defineTexts({
  ...common,
  outgoing: { en: 'Outgoing', de: 'Ausgehend' },
  newEndpoint: { en: 'New outgoing webhook', de: 'Neuer ausgehender Webhook' },
  endpoint: { en: 'Outgoing webhook', de: 'Ausgehender Webhook' },
  change: { en: 'Change this webhook', de: 'Diesen Webhook ändern' },
  url: { en: 'URL', de: 'URL' },
  urlHint: {
    en: 'http or https. Addresses of private networks are refused when it is called.',
    de: 'http oder https. Adressen privater Netze werden beim Aufruf abgelehnt.',
  },
  eventsHint: {
    en: 'Names separated by spaces, or * for every event.',
    de: 'Namen mit Leerzeichen dazwischen, oder * für alle Ereignisse.',
  },
  knownEvents: { en: 'Events of this service', de: 'Ereignisse dieses Dienstes' },
  maxRetries: { en: 'Retries', de: 'Wiederholungen' },
  retryDelayMs: {
    en: 'Delay before the first retry, in ms',
    de: 'Wartezeit vor der ersten Wiederholung, in ms',
  },
  retryDelayHint: {
    en: 'It doubles with each further retry.',
    de: 'Sie verdoppelt sich mit jeder weiteren Wiederholung.',
  },
  hasSecret: {
    en: 'Set. Every delivery is signed with it.',
    de: 'Gesetzt. Jede Zustellung ist damit signiert.',
  },
  noSecret: {
    en: 'None. Deliveries are not signed.',
    de: 'Keines. Zustellungen sind nicht signiert.',
  },
  secretOnce: {
    en: 'This is the secret that deliveries are signed with. Copy it to the receiver now: it is not shown again.',
    de: 'Mit diesem Geheimnis werden Zustellungen signiert. Hinterlegen Sie es jetzt beim Empfänger: Es wird nicht noch einmal angezeigt.',
  },
  copy: { en: 'Copy', de: 'Kopieren' },
  copied: { en: 'Copied', de: 'Kopiert' },
  goOn: { en: 'To the webhook', de: 'Zum Webhook' },
  test: { en: 'Send a test event', de: 'Testereignis senden' },
  testSent: {
    en: 'A test event is on its way. Its delivery is the newest below.',
    de: 'Ein Testereignis ist unterwegs. Seine Zustellung ist die neueste unten.',
  },
  rotate: { en: 'Replace the secret', de: 'Geheimnis ersetzen' },
  rotateText: {
    en: 'A new secret is generated and shown once. The old one keeps signing for 24 hours.',
    de: 'Ein neues Geheimnis wird erzeugt und einmal angezeigt. Das alte signiert noch 24 Stunden lang.',
  },
  failing: { en: 'Deliveries failing', de: 'Fehlschlagende Zustellungen' },
  deliveries: { en: 'Deliveries', de: 'Zustellungen' },
  delivery: { en: 'Delivery', de: 'Zustellung' },
  attempts: { en: 'Attempts', de: 'Versuche' },
  nextAt: { en: 'Next attempt', de: 'Nächster Versuch' },
  status: { en: 'Status', de: 'Status' },
  answer: { en: 'Answer', de: 'Antwort' },
  body: { en: 'Body', de: 'Inhalt' },
  waiting: { en: 'Waiting', de: 'Wartet' },
  retrying: { en: 'Retrying', de: 'Wird wiederholt' },
  delivered: { en: 'Delivered', de: 'Zugestellt' },
  exhausted: { en: 'Given up', de: 'Aufgegeben' },
  failed: { en: 'Refused for good', de: 'Endgültig abgelehnt' },
  replay: { en: 'Send once more', de: 'Noch einmal senden' },
  replayed: {
    en: 'The delivery is being sent again.',
    de: 'Die Zustellung ist noch einmal unterwegs.',
  },
});

export const errorTexts: ErrorTexts<never> = {
  de: {
    'Use an http or https URL.': 'Geben Sie eine URL mit http oder https ein.',
    'A URL must not contain user info.': 'Die URL darf keine Zugangsdaten enthalten.',
  },
};
