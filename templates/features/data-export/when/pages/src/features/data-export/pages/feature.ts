import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { form } from '../../pages/form.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  en: {
    title: 'A copy of your data',
    state: 'All that is stored about you',
    text: 'A JSON file with everything that this service stores about you. Passwords and other secrets are left out.',
    download: 'Download',
  },
  de: {
    title: 'Kopie Ihrer Daten',
    state: 'Alles, was über Sie gespeichert ist',
    text: 'Eine JSON-Datei mit allem, was dieser Dienst über Sie speichert. Passwörter und andere Geheimnisse sind nicht dabei.',
    download: 'Herunterladen',
  },
});

const dataPage: AccountPage = {
  path: '/ui/account/data',
  section: 'data',
  order: 1,
  title: ({ language }) => texts[language].title,
  state: ({ language }) => texts[language].state,
  content: (visit) => {
    const t = texts[visit.language];
    return html`<p>${t.text}</p>
${form(visit, { name: 'download', submit: t.download })}`;
  },
  forms: { download: { submits: 'POST /account/export', isDownload: true } },
};

export const dataExportPages = defineFeature({ accountPages: [dataPage] });
