import { defineFeature } from '../../../feature.js';
import { webhooksPage } from './list.js';
import { errorTexts } from './texts.js';

export const webhookConfigsAdminPanel = defineFeature({
  errorTexts,
  panelPages: [webhooksPage],
});
