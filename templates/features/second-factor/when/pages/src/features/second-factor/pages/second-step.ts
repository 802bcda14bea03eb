import { HttpError } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import type { Services } from '../../../services.js';
import type { Field } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { formOf, signInWays } from '../../pages/login.js';
import type { Form, Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import type { Visit } from '../../pages/visit.js';
import { requireChallenge } from '../challenge.js';
import { availableFactors } from '../second-factor.js';
import { texts } from './texts.js';

/** A second step that is done on its page, by a code. */
export interface SecondStep {
  /** The name of its factor. */
  name: string;
  field: Field;
  form: Form;
}

declare module '../../../feature.js' {
  interface FeatureParts {
    secondStep?: SecondStep;
  }
}

const stepsOf = ({ features }: Services): SecondStep[] =>
  features.flatMap(({ secondStep }) => secondStep ?? []);

/** The second step of a sign-in: a code that is typed here, or one of the ways that send something. */
export const secondStepPage: Page = {
  path: '/ui/2fa',
  title: () => texts.title,
  elsewhere: async (visit) =>
    (await methodsOf(visit)) ? undefined : pathTo(visit, '/ui/login', { error: EXPIRED }),
  content: async (visit) => {
    const methods = (await methodsOf(visit)) ?? [];
    const typed = stepsOf(visit.services).filter(({ name }) => methods.includes(name));
    const sent = signInWays(visit.services).filter(({ name }) => methods.includes(name));
    const [first, ...others] = sent.map((way) => ({ name: way.name, submit: way.label }));
    return html`<p>${texts.text}</p>
${typed.map((step) => form(visit, { name: step.name, fields: [step.field], submit: texts.submit }))}
${first && html`<div class="ways">${form(visit, { ...first, others, look: 'plain' })}</div>`}
<p class="beside"><a href="${pathTo(visit, '/ui/login')}">${texts.restart}</a></p>`;
  },
  forms: (services) => {
    const typed = stepsOf(services).map((step) => [step.name, step.form]);
    const sent = signInWays(services).map((way) => [way.name, formOf(way, ofChallenge)]);
    return Object.fromEntries([...typed, ...sent]);
  },
};

const EXPIRED = 'INVALID_TEMP_TOKEN';

function ofChallenge({ carried }: Visit): Record<string, string> {
  return { mode: '2fa', ...carried };
}

/** The factors that can finish this sign-in; undefined if it has expired. */
async function methodsOf({ services, carried }: Visit): Promise<string[] | undefined> {
  try {
    const { userId, method } = await requireChallenge(services, carried?.tempToken);
    const account = await services.users.findAccount(userId);
    return account && availableFactors(services, account, method);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
