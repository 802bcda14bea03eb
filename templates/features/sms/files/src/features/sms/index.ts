import { z } from 'zod';
import { post } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { Issued, Success } from '../../session/views.js';
import { codeField } from './code-field.js';
import { addPhone, removePhone, verifyPhone } from './phone.js';
import { SendCodeBody, sendCode, sendCodeErrors, sendCodeLimits } from './send.js';
import { VerifyCodeBody, verifyCode, verifyCodeErrors } from './verify.js';

const AddPhoneBody = z.object({ phoneNumber: z.string().max(128).nullable(), emailLang });
const VerifyPhoneBody = z.object({ code: codeField });

export const smsRoutes = [
  post(
    '/add-phone',
    {
      summary: 'Text a code to a new phone number, or remove the number',
      access: 'fresh',
      body: AddPhoneBody,
      reply: Success,
      errors: ['INVALID_PHONE_NUMBER'],
    },
    async ({ body: { phoneNumber, emailLang: language }, caller, request, services }) => {
      if (phoneNumber === null) await removePhone(services, caller, language);
      else await addPhone(services, request, caller, phoneNumber, language);
      return { body: { success: true } };
    },
  ),

  post(
    '/verify-phone',
    {
      summary: 'Verify the new phone number with the texted code',
      access: 'signed-in',
      body: VerifyPhoneBody,
      reply: Success,
      errors: ['INVALID_SMS_CODE'],
    },
    async ({ body, caller, services }) => {
      await verifyPhone(services, caller, body.code);
      return { body: { success: true } };
    },
  ),

  post(
    '/sms/send',
    {
      summary: 'Text a code that signs in',
      body: SendCodeBody,
      reply: Success,
      errors: sendCodeErrors,
      limits: ({ body, request }) => sendCodeLimits(body, request),
    },
    async (call) => {
      await sendCode(call);
      return { body: { success: true } };
    },
  ),

  post(
    '/sms/verify',
    {
      summary: 'Sign in with the texted code',
      body: VerifyCodeBody,
      reply: Issued,
      errors: verifyCodeErrors,
      signsIn: true,
    },
    verifyCode,
  ),
];
