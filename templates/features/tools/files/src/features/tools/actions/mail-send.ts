import { z } from 'zod';
import { composeMail } from '../../../mail/compose.js';
import { mailLimits } from '../../../mail/mail-limits.js';
import { emailField } from '../../../users/email.js';
import { defineAction } from '../action.js';

export const mailSend = defineAction({
  id: 'mail.send',
  label: 'Send a mail',
  category: 'Mail',
  description: 'Mails {subject, text} to {to}; at most one a minute to one address.',
  input: z.object({
    to: emailField,
    subject: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\r\n]*$/, 'One line.'),
    text: z.string().min(1).max(10_000),
  }),
  async fn({ to, subject, text }, { services }) {
    await services.limiter.consume(mailLimits('tools', to));
    await services.mailer.send(composeMail({ to, subject, paragraphs: text.split(/\n{2,}/) }));
    return true;
  },
});
