import { expect, it } from 'vitest';
import { inProduction } from '../../../test/in-production.js';
import { readConfig } from '../../config.js';

const { SMTP_URL, ...withoutMail } = inProduction;
const PRODUCTION = {
  ...withoutMail,
  ACCESS_TOKEN_SECRET: 'f2b6e1a98c07d45390ab12cd34ef56718293a4b5c6d7e8f90a1b2c3d4e5f6071',
  REFRESH_TOKEN_SECRET: '0d9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170615243342516a7b8c9dae0b1',
};

it('does not start in production without a way to mail reset links', () => {
  expect(() => readConfig(PRODUCTION)).toThrow('SMTP_URL is missing: it is needed in production');
  expect(readConfig({ ...PRODUCTION, NODE_ENV: 'development' }).SMTP_URL).toBeUndefined();
  expect(readConfig({ ...PRODUCTION, SMTP_URL })).toBeTruthy();
});

it('takes only costs of bcrypt between 10 and 15', () => {
  for (const cost of ['9', '16', 'ten']) {
    const environment = { ...PRODUCTION, NODE_ENV: 'test', BCRYPT_COST: cost };
    expect(() => readConfig(environment)).toThrow(
      'BCRYPT_COST must be a whole number from 10 to 15',
    );
  }
});
