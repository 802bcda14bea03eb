import type { admin } from '../admin/feature.js';
import { defineTexts, type ErrorTextsOf } from '../pages/language.js';
import { panelTexts } from './texts.js';

/** The texts of the pages that are about the service: roles, settings, audit log; with those of the panel. */
export const serviceTexts = defineTexts({
  ...panelTexts,
  permissions: { en: 'Permissions', de: 'Berechtigungen' },
  newRole: { en: 'Create a role', de: 'Rolle anlegen' },
  roleNameHint: {
    en: 'Lower-case letters, digits and hyphens.',
    de: 'Kleinbuchstaben, Ziffern und Bindestriche.',
  },
  otherPermissions: { en: 'Other permissions (optional)', de: 'Weitere Berechtigungen (optional)' },
  otherPermissionsHint: {
    en: 'Of your own routes, as resource:action, with spaces between them.',
    de: 'Die Ihrer eigenen Routen, als ressource:aktion, durch Leerzeichen getrennt.',
  },
  deleteRole: { en: 'Delete this role', de: 'Diese Rolle löschen' },
  deleteRoleText: {
    en: 'Everybody who holds the role loses what it allows. This cannot be undone.',
    de: 'Wer die Rolle hat, verliert, was sie erlaubt. Das lässt sich nicht rückgängig machen.',
  },
  notYours: {
    en: 'There is no such role, or you may not change it.',
    de: 'Diese Rolle gibt es nicht, oder Sie dürfen sie nicht ändern.',
  },
  setting: { en: 'Setting', de: 'Einstellung' },
  source: { en: 'From', de: 'Herkunft' },
  stored: { en: 'set here', de: 'hier gesetzt' },
  environment: { en: 'environment', de: 'Umgebung' },
  value: { en: 'Value', de: 'Wert' },
  unset: { en: 'Back to the environment', de: 'Zurück zur Umgebung' },
  testMail: { en: 'Test mail', de: 'Testmail' },
  testMailText: {
    en: 'Sent at once. If the mail server refuses it, its answer is shown.',
    de: 'Wird sofort gesendet. Lehnt der Mailserver sie ab, steht hier seine Antwort.',
  },
  recipient: { en: 'To', de: 'An' },
  sendTestMail: { en: 'Send a test mail', de: 'Testmail senden' },
  testMailSent: {
    en: 'The mail server took the mail.',
    de: 'Der Mailserver hat die Mail angenommen.',
  },
  actorId: { en: 'By (id)', de: 'Durch (ID)' },
  targetId: { en: 'To (id)', de: 'Betrifft (ID)' },
  target: { en: 'To', de: 'Betrifft' },
  from: { en: 'From (UTC)', de: 'Von (UTC)' },
  to: { en: 'Until (UTC)', de: 'Bis (UTC)' },
  details: { en: 'Details', de: 'Einzelheiten' },
  exportAudit: { en: 'Export as NDJSON', de: 'Als NDJSON exportieren' },
});

export const errorTexts: ErrorTextsOf<typeof admin> = {
  de: {
    USER_EXISTS: 'Es gibt schon ein Konto mit dieser Adresse.',
    ROLE_NOT_FOUND: 'Diese Rolle gibt es nicht.',
    ROLE_EXISTS: 'Es gibt schon eine Rolle mit diesem Namen.',
    ROLE_PROTECTED: 'Diese Rolle kann nicht geändert werden.',
    MAIL_NOT_SENT: 'Der Mailserver hat die Mail nicht angenommen.',
    LAST_ADMINISTRATOR: 'Der letzte Administrator kann nicht entfernt werden.',
    'Use lower-case letters, digits and hyphens, at most 64.':
      'Kleinbuchstaben, Ziffern und Bindestriche, höchstens 64.',
    'Write it as resource:action.': 'Schreiben Sie sie als ressource:aktion.',
    'Nobody is ticked.': 'Kein Konto ist angekreuzt.',
  },
};
