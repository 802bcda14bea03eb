import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import type { SignInWay } from '../../pages/login.js';
import { phonePage } from './phone.js';
import { smsCodePage } from './sms-code.js';
import { errorTexts, texts } from './texts.js';

const signInWay: SignInWay = {
  name: 'sms',
  label: ({ language }) => texts[language].textMe,
  form: { submits: 'POST /sms/send' },
  codePage: '/ui/sms',
};

export const smsPages = defineFeature({
  accountPages: [phonePage],
  errorTexts,
  signInWay,
  routes: (): Route[] => smsCodePage,
});
