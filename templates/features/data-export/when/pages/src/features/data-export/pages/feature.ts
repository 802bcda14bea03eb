import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { defineTexts } from '../../pages/language.js';
import type { AccountPage } from '../../pages/page.js';

const texts = defineTexts({
  title: { en: 'A copy of your data', de: 'Kopie Ihrer Daten' },
  state: { en: 'All that is stored about you', de: 'Alles, was über Sie gespeichert ist' },
  text: {
    en: 'A JSON file with everything that this service stores about you. Passwords and other secrets are left out.',
    de: 'Eine JSON-Datei mit allem, was dieser Dienst über Sie speichert. Passwörter und andere Geheimnisse sind nicht dabei.',
  },
  download: { en: 'Download', de: 'Herunterladen' },
});

const dataPage: AccountPage = {
  path: '/ui/account/data',
  section: 'data',
  order: 1,
  title: () => texts.title,
  state: () => texts.state,
  content: (visit) => html`<p>${texts.text}</p>
${form(visit, { name: 'download', submit: texts.download })}`,
  forms: { download: { submits: 'POST /account/export', isDownload: true } },
};

export const dataExportPages = defineFeature({ accountPages: [dataPage] });
