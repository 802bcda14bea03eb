import { defineTexts, type ErrorTexts } from '../../pages/language.js';
import { texts as common } from '../../webhook-configs/admin-panel/texts.js';

export const texts = defineTexts({
  ...common,
  inbound: { en: 'Inbound', de: 'Eingehend' },
  inboundWebhook: { en: 'Inbound webhook', de: 'Eingehender Webhook' },
  newInbound: { en: 'New inbound webhook', de: 'Neuer eingehender Webhook' },
  provider: { en: 'Provider', de: 'Anbieter' },
  providerHint: {
    en: 'The last part of the URL that the provider calls: letters, digits, _ . and -.',
    de: 'Der letzte Teil der Adresse, die er aufruft: Buchstaben, Ziffern, _ . und -.',
  },
  calledAt: { en: 'Called at', de: 'Adresse' },
  eventsHint: {
    en: 'The events that the script may emit: names separated by spaces, or * for every one.',
    de: 'Die Ereignisse, die das Skript auslösen darf: Namen mit Leerzeichen dazwischen, oder * für alle.',
  },
  signature: { en: 'How calls are signed', de: 'Wie Aufrufe signiert sind' },
  secretHint: {
    en: 'At least 8 characters. Calls without its signature are refused.',
    de: 'Mindestens 8 Zeichen. Aufrufe ohne seine Signatur werden abgelehnt.',
  },
  secretKept: {
    en: 'There is one. Leave this empty to keep it.',
    de: 'Es gibt eines. Lassen Sie dieses Feld leer, um es zu behalten.',
  },
  noSecret: { en: 'Accept calls without a signature', de: 'Aufrufe ohne Signatur annehmen' },
  isOpen: {
    en: 'None: anybody who knows the address can call it.',
    de: 'Keines: Wer die Adresse kennt, kann sie aufrufen.',
  },
  allowed: { en: 'Actions that the script may call', de: 'Aktionen, die das Skript aufrufen darf' },
  noneOn: {
    en: 'No action that you may allow is turned on.',
    de: 'Keine Aktion, die Sie erlauben dürfen, ist eingeschaltet.',
  },
  script: { en: 'Script', de: 'Skript' },
  scriptHint: {
    en: 'The body of an async function: it gets body and actions, and sets result to { event, data } to emit an event.',
    de: 'Der Rumpf einer async-Funktion: Er bekommt body und actions und setzt result auf { event, data }, um ein Ereignis auszulösen.',
  },
  dryRun: { en: 'Dry run', de: 'Probelauf' },
  payload: { en: 'Body of the call, as JSON', de: 'Inhalt des Aufrufs, als JSON' },
  payloadHint: {
    en: 'Runs the saved script. No event is emitted, but actions do run.',
    de: 'Führt das gespeicherte Skript aus. Kein Ereignis wird ausgelöst, aber Aktionen werden ausgeführt.',
  },
  run: { en: 'Run', de: 'Ausführen' },
  ran: { en: 'The script ran.', de: 'Das Skript ist gelaufen.' },
  log: { en: 'Log', de: 'Ausgabe' },
  called: { en: 'Actions called', de: 'Aufgerufene Aktionen' },
  runs: { en: 'Last runs', de: 'Letzte Läufe' },
  outcome: { en: 'Outcome', de: 'Ergebnis' },
  ok: { en: 'OK', de: 'OK' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  actions: { en: 'Actions', de: 'Aktionen' },
  actionsText: {
    en: 'What scripts of inbound webhooks can be allowed to do. Each webhook is then allowed some of those that are on.',
    de: 'Was Skripten eingehender Webhooks erlaubt werden kann. Jedem Webhook werden dann einige der eingeschalteten erlaubt.',
  },
  changes: { en: 'changes data', de: 'ändert Daten' },
  dependsOn: { en: 'Depends on', de: 'Setzt voraus' },
  isOff: { en: 'off', de: 'aus' },
  needs: { en: 'Permission', de: 'Berechtigung' },
});

export const errorTexts: ErrorTexts<never> = {
  de: {
    'Use letters, digits, _ . and -, at most 64.': 'Buchstaben, Ziffern, _ . und -, höchstens 64.',
  },
};
