import { type Texts, translator } from '../../pages/language.js';
import { t as ofWebhooks } from '../../webhook-configs/admin-panel/feature.js';

export const t = translator({
  en: { enabledWebhookActions: 'Actions' },
  de: {
    ...ofWebhooks.texts.de,
    Inbound: 'Eingehend',
    'New inbound webhook': 'Neuer eingehender Webhook',
    Provider: 'Anbieter',
    'The last part of the URL that the provider calls: letters, digits, _ . and -.':
      'Der letzte Teil der Adresse, die der Anbieter aufruft: Buchstaben, Ziffern, _ . und -.',
    'Secret (optional)': 'Geheimnis (optional)',
    'Line #, column #: #': 'Zeile #, Spalte #: #',
    'Called at': 'Adresse',
    'What the script may emit, separated by spaces; * for all.':
      'Was das Skript auslösen darf, durch Leerzeichen getrennt; * für alles.',
    'How calls are signed': 'Wie Aufrufe signiert sind',
    'At least 8 characters. Calls without its signature are refused.':
      'Mindestens 8 Zeichen. Aufrufe ohne seine Signatur werden abgelehnt.',
    'A secret is set. Leave this empty to keep it.': 'Gesetzt. Leer lassen, um es zu behalten.',
    'Accept calls without a signature': 'Aufrufe ohne Signatur annehmen',
    'None: anybody who knows the address can call it.':
      'Keines: Wer die Adresse kennt, kann sie aufrufen.',
    'Actions that the script may call': 'Aktionen, die das Skript aufrufen darf',
    'No action that you may allow is turned on.':
      'Keine Aktion, die Sie erlauben dürfen, ist eingeschaltet.',
    Script: 'Skript',
    'The body of an async function that gets body and actions. Set result to { event, data } to emit an event. Escape, then Tab, leaves the field.':
      'Der Rumpf einer async-Funktion, die body und actions erhält. Setzen Sie result auf { event, data }, um ein Ereignis auszulösen. Escape, dann Tab, verlässt das Feld.',
    'Dry run': 'Probelauf',
    'Body of the call, as JSON': 'Inhalt des Aufrufs, als JSON',
    'Runs the saved script. No event is emitted, but actions do run.':
      'Führt das gespeicherte Skript aus. Kein Ereignis wird ausgelöst, aber Aktionen werden ausgeführt.',
    'Save first: what you have changed above would be lost.':
      'Speichern Sie zuerst: Was Sie oben geändert haben, ginge verloren.',
    'There is no result. If your session has ended, sign in in another tab, then run it again.':
      'Es gibt kein Ergebnis. Ist Ihre Sitzung beendet, melden Sie sich in einem anderen Tab an und führen Sie das Skript erneut aus.',
    Run: 'Ausführen',
    'The script ran.': 'Das Skript ist gelaufen.',
    'import() and import.meta are not allowed.': 'import() und import.meta sind nicht erlaubt.',
    'The script failed.': 'Das Skript ist fehlgeschlagen.',
    'The script wrote too much output.': 'Das Skript hat zu viel ausgegeben.',
    'The script took too long.': 'Das Skript hat zu lange gebraucht.',
    'The script waits for something that never happens.':
      'Das Skript wartet auf etwas, das nie eintritt.',
    'The script ended its process.': 'Das Skript hat seinen Prozess beendet.',
    'Too many actions were called.': 'Es wurden zu viele Aktionen aufgerufen.',
    'The result is too large.': 'Das Ergebnis ist zu groß.',
    'The result is not JSON.': 'Das Ergebnis ist kein JSON.',
    'The result is nested too deeply.': 'Das Ergebnis ist zu tief verschachtelt.',
    'No process was free: the script did not run.':
      'Kein Prozess war frei: Das Skript wurde nicht ausgeführt.',
    Log: 'Ausgabe',
    'Actions called': 'Aufgerufene Aktionen',
    'Last runs': 'Letzte Läufe',
    Outcome: 'Ergebnis',
    OK: 'OK',
    Failed: 'Fehlgeschlagen',
    Actions: 'Aktionen',
    enabledWebhookActions: 'Aktionen',
    'What scripts of inbound webhooks may do. Turn an action on here, then allow it for each webhook that needs it.':
      'Was Skripte eingehender Webhooks dürfen. Schalten Sie eine Aktion hier ein, und erlauben Sie sie dann den Webhooks, die sie brauchen.',
    'changes data': 'ändert Daten',
    'Depends on': 'Setzt voraus',
    off: 'aus',
    Permission: 'Berechtigung',
    'Use letters, digits, _ . and -, at most 64.': 'Buchstaben, Ziffern, _ . und -, höchstens 64.',
  },
} satisfies Texts);
