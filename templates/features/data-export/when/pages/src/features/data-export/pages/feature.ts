import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { type Texts, translator } from '../../pages/language.js';

const t = translator({
  de: {
    'A copy of your data': 'Kopie Ihrer Daten',
    'Everything stored about you': 'Alles, was über Sie gespeichert ist',
    'A JSON file with everything that this service stores about you, except secrets.':
      'Eine JSON-Datei mit allem, was dieser Dienst über Sie speichert, außer Geheimnissen.',
    Download: 'Herunterladen',
  },
} satisfies Texts);

export const dataExportPages: FeatureParts = {
  accountPages: {
    '/ui/account/data': {
      section: 'data',
      order: 1,
      title: () => t('A copy of your data'),
      state: () => t('Everything stored about you'),
      content: (visit) => html`
<p>${t('A JSON file with everything that this service stores about you, except secrets.')}</p>
${form(visit, { name: 'download', submit: t('Download') })}`,
      forms: { download: { submits: 'POST /account/export' } },
    },
  },
};
