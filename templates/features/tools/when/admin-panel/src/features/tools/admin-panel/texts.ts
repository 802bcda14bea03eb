import { defineTexts, type ErrorTexts } from '../../pages/language.js';
import { texts as common } from '../../webhook-configs/admin-panel/texts.js';

export const texts = defineTexts({
  en: {
    ...common.en,
    inbound: 'Inbound',
    inboundWebhook: 'Inbound webhook',
    newInbound: 'New inbound webhook',
    provider: 'Provider',
    providerHint: 'The last part of the address that it calls: letters, digits, _ . and -.',
    calledAt: 'Called at',
    eventsHint:
      'The events that the script may emit: names separated by spaces, or * for every one.',
    signature: 'How calls are signed',
    secretHint: 'At least 8 characters. Calls without its signature are refused.',
    secretKept: 'There is one. Leave this empty to keep it.',
    noSecret: 'Take calls without a signature',
    isOpen: 'None: whoever knows the address can call it.',
    allowed: 'Actions that the script may call',
    noneOn: 'No action is turned on that you may allow.',
    script: 'Script',
    scriptHint:
      'The body of an async function: it gets body and actions, and sets result to { event, data } to emit an event.',
    dryRun: 'Dry run',
    payload: 'Body of the call, as JSON',
    payloadHint: 'Runs the saved script. No event is emitted, but actions do run.',
    run: 'Run',
    ran: 'The script ran.',
    log: 'Log',
    called: 'Actions called',
    runs: 'Last runs',
    outcome: 'Outcome',
    ok: 'OK',
    failed: 'Failed',
    actions: 'Actions',
    actionsText:
      'What scripts of inbound webhooks can be allowed to do. Each webhook is then allowed some of those that are on.',
    changes: 'changes data',
    dependsOn: 'Depends on',
    isOff: 'off',
    needs: 'Permission',
  },
  de: {
    ...common.de,
    inbound: 'Eingehend',
    inboundWebhook: 'Eingehender Webhook',
    newInbound: 'Neuer eingehender Webhook',
    provider: 'Anbieter',
    providerHint: 'Der letzte Teil der Adresse, die er aufruft: Buchstaben, Ziffern, _ . und -.',
    calledAt: 'Adresse',
    eventsHint:
      'Die Ereignisse, die das Skript auslösen darf: Namen mit Leerzeichen dazwischen, oder * für alle.',
    signature: 'Wie Aufrufe signiert sind',
    secretHint: 'Mindestens 8 Zeichen. Aufrufe ohne seine Signatur werden abgelehnt.',
    secretKept: 'Es gibt eines. Lassen Sie dieses Feld leer, um es zu behalten.',
    noSecret: 'Aufrufe ohne Signatur annehmen',
    isOpen: 'Keines: Wer die Adresse kennt, kann sie aufrufen.',
    allowed: 'Aktionen, die das Skript aufrufen darf',
    noneOn: 'Keine Aktion, die Sie erlauben dürfen, ist eingeschaltet.',
    script: 'Skript',
    scriptHint:
      'Der Rumpf einer async-Funktion: Er bekommt body und actions und setzt result auf { event, data }, um ein Ereignis auszulösen.',
    dryRun: 'Probelauf',
    payload: 'Inhalt des Aufrufs, als JSON',
    payloadHint:
      'Führt das gespeicherte Skript aus. Kein Ereignis wird ausgelöst, aber Aktionen werden ausgeführt.',
    run: 'Ausführen',
    ran: 'Das Skript ist gelaufen.',
    log: 'Ausgabe',
    called: 'Aufgerufene Aktionen',
    runs: 'Letzte Läufe',
    outcome: 'Ergebnis',
    ok: 'OK',
    failed: 'Fehlgeschlagen',
    actions: 'Aktionen',
    actionsText:
      'Was Skripten eingehender Webhooks erlaubt werden kann. Jedem Webhook werden dann einige der eingeschalteten erlaubt.',
    changes: 'ändert Daten',
    dependsOn: 'Setzt voraus',
    isOff: 'aus',
    needs: 'Berechtigung',
  },
});

export const errorTexts: ErrorTexts<never> = {
  de: {
    'Use letters, digits, _ . and -, at most 64.': 'Buchstaben, Ziffern, _ . und -, höchstens 64.',
    'This is not JSON.': 'Das ist kein JSON.',
  },
};
