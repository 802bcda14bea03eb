import type { admin } from '../admin/feature.js';
import { defineTexts, type ErrorTextsOf } from '../pages/language.js';
import { panelTexts } from './texts.js';

/** The texts of the pages that are about the service: roles, settings, audit log; with those of the panel. */
export const serviceTexts = defineTexts({
  en: {
    ...panelTexts.en,
    permissions: 'Permissions',
    newRole: 'Create a role',
    roleNameHint: 'Lower-case letters, digits and hyphens.',
    otherPermissions: 'Other permissions (optional)',
    otherPermissionsHint: 'Of your own routes, as resource:action, with spaces between them.',
    deleteRole: 'Delete this role',
    deleteRoleText: 'Everybody who holds the role loses what it allows. This cannot be undone.',
    notYours: 'There is no such role, or you may not change it.',
    setting: 'Setting',
    source: 'From',
    stored: 'set here',
    environment: 'environment',
    value: 'Value',
    unset: 'Back to the environment',
    testMail: 'Test mail',
    testMailText: 'Sent at once. If the mail server refuses it, its answer is shown.',
    recipient: 'To',
    sendTestMail: 'Send a test mail',
    testMailSent: 'The mail server took the mail.',
    actorId: 'By (id)',
    targetId: 'To (id)',
    target: 'To',
    from: 'From (UTC)',
    to: 'Until (UTC)',
    details: 'Details',
    exportAudit: 'Export as NDJSON',
  },
  de: {
    ...panelTexts.de,
    permissions: 'Berechtigungen',
    newRole: 'Rolle anlegen',
    roleNameHint: 'Kleinbuchstaben, Ziffern und Bindestriche.',
    otherPermissions: 'Weitere Berechtigungen (optional)',
    otherPermissionsHint:
      'Die Ihrer eigenen Routen, als ressource:aktion, durch Leerzeichen getrennt.',
    deleteRole: 'Diese Rolle löschen',
    deleteRoleText:
      'Wer die Rolle hat, verliert, was sie erlaubt. Das lässt sich nicht rückgängig machen.',
    notYours: 'Diese Rolle gibt es nicht, oder Sie dürfen sie nicht ändern.',
    setting: 'Einstellung',
    source: 'Herkunft',
    stored: 'hier gesetzt',
    environment: 'Umgebung',
    value: 'Wert',
    unset: 'Zurück zur Umgebung',
    testMail: 'Testmail',
    testMailText: 'Wird sofort gesendet. Lehnt der Mailserver sie ab, steht hier seine Antwort.',
    recipient: 'An',
    sendTestMail: 'Testmail senden',
    testMailSent: 'Der Mailserver hat die Mail angenommen.',
    actorId: 'Durch (ID)',
    targetId: 'Betrifft (ID)',
    target: 'Betrifft',
    from: 'Von (UTC)',
    to: 'Bis (UTC)',
    details: 'Einzelheiten',
    exportAudit: 'Als NDJSON exportieren',
  },
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
