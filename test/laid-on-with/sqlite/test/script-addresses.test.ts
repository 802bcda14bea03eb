import { expect, test } from 'vitest';
import { readConfig, variables } from '../src/config.js';
import { startWithAdmin } from './administrator.js';
import { browser } from './client.js';
import { SECRETS } from './environment.js';
import { begin, comeBack, signInAt } from './flows/oauth.js';
import { createPasswordAccount } from './flows/password.js';
import { startOidc } from './oauth/counterparts/oidc.js';
import { openPanel } from './panel.js';
import { addEndpoint } from './receiver.js';
import { startTestService } from './service.js';
import { type Visitor, visitor } from './visitor.js';

/** URLs that browsers run as scripts of the page. */
const SCRIPTS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  ' \u0001javascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4',
  'vbscript:msgbox(1)',
  'blob:http://auth.test/1',
];

/** The URLs that a page links to or loads, in any attribute. */
function addressesIn(html: string): string[] {
  const attributes = html.matchAll(
    /\s(?:href|src|srcset|action|formaction|poster|data|ping|content)="([^"]*)"/g,
  );
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return [...attributes].map(([, value = '']) =>
    value.replace(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole),
  );
}

/** The URLs with a scheme other than http(s), as a browser reads them: it drops tabs, line ends and leading control characters. */
function scriptsAmong(addresses: string[]): string[] {
  return addresses.filter((each) => {
    const url = URL.canParse(each) ? new URL(each) : undefined;
    // The service's own: an empty icon, and a QR code.
    const isOurs = each === 'data:,' || each.startsWith('data:image/png;base64,');
    return url && !/^https?:$/.test(url.protocol) && !isOurs;
  });
}

/** Opens every page that can be reached from a few, and returns the URLs on all of them. */
async function addressesFrom(visit: Visitor, starts: string[]): Promise<string[]> {
  const found = new Set(starts);
  const addresses: string[] = [];
  for (const path of found) {
    const page = await visit.open(path);
    addresses.push(...addressesIn(page.html));
    for (const address of addressesIn(page.html)) {
      const isPage = /^\/(auth\/ui|admin)(\/|$|\?)/.test(address) && !address.includes('/api/');
      if (isPage && found.size < 80) found.add(address);
    }
  }
  expect(found.size).toBeGreaterThan(starts.length);
  return addresses;
}

test('F-18 a picture at a provider without a web address is dropped, and no page leads to it', async () => {
  for (const picture of SCRIPTS) {
    const issuer = await startOidc();
    const service = await startTestService({ ...issuer.variables, APP_URL: '' });
    issuer.faults.claims = { picture, name: picture, profile: picture, website: picture };
    const { client } = await signInAt(service, issuer);
    const [linked] = (await client.get('/linked-accounts')).body.linkedAccounts;
    expect([picture, linked.picture]).toEqual([picture, null]);
    const person = visitor(service);
    for (const [name, value] of client.cookies) person.cookies.set(name, value);
    const { visit } = await openPanel(service);
    const addresses = [
      ...(await addressesFrom(person, ['/auth/ui/account'])),
      ...(await addressesFrom(visit, ['/admin', '/admin/users'])),
    ];
    expect([picture, scriptsAmong(addresses)]).toEqual([picture, []]);
  }
}, 120_000);

test('F-18 a picture of the web is kept as it is', async () => {
  const issuer = await startOidc();
  const service = await startTestService(issuer.variables);
  const picture = 'https://lh3.example.com/a/AItbvmk=s96-c?x=1&y=2#z';
  issuer.faults.claims = { picture };
  const { client } = await signInAt(service, issuer);
  expect((await client.get('/linked-accounts')).body.linkedAccounts).toMatchObject([{ picture }]);
});

test('F-18 no webhook leads to a script, whether it is made or changed; one that was stored otherwise is shown as text', async () => {
  const { service, client } = await startWithAdmin({ APP_URL: '' });
  const fields = { url: 'https://example.com/hook', events: ['*'] };
  const { id } = (await client.post('/webhooks', fields)).body.webhook;
  for (const url of SCRIPTS) {
    const made = await client.post('/webhooks', { ...fields, url });
    const changed = await client.patch(`/webhooks/${id}`, { url });
    for (const { status, body } of [made, changed]) {
      expect([url, status, body.code]).toEqual([url, 400, 'VALIDATION_FAILED']);
    }
    await addEndpoint(service, { url });
  }
  const { visit } = await openPanel(service);
  const addresses = await addressesFrom(visit, ['/admin', '/admin/webhooks']);
  expect(addresses.some((each) => each.startsWith('/admin/webhooks/'))).toBe(true);
  expect(scriptsAmong(addresses)).toEqual([]);
});

test('F-18 no path to return to becomes a script, on any page and in any redirect', async () => {
  const issuer = await startOidc();
  const service = await startTestService({ ...issuer.variables, APP_URL: '' });
  const { email, password } = await createPasswordAccount(service);
  for (const path of SCRIPTS) {
    const query = new URLSearchParams({ return_to: path, return_path: path, next: path });
    const { status } = await browser(service).get(`/oauth/oidc?${query}`);
    expect([path, status]).toEqual([path, 400]);

    const person = visitor(service);
    for (const page of ['login', 'register', '2fa', 'signed-out', 'account-conflict', 'sms']) {
      const { html } = await person.open(`/auth/ui/${page}?${query}`);
      expect([path, page, scriptsAmong(addressesIn(html))]).toEqual([path, page, []]);
    }
    await person.open(`/auth/ui/login?${query}`);
    const end = await person.submit('password', { email, password });
    expect([path, end.status, end.path]).toEqual([path, 200, '/auth/ui/account']);
  }
});

test('F-18 a provider that answers with scripts leads nowhere but to our own pages', async () => {
  const issuer = await startOidc();
  const service = await startTestService(issuer.variables);
  for (const text of SCRIPTS) {
    const client = browser(service);
    const back = issuer.decline(await begin(client, issuer), text);
    back.searchParams.set('error_description', text);
    back.searchParams.set('error_uri', text);
    const { headers } = await comeBack(service, client, back);
    expect([text, headers.get('location')]).toEqual([
      text,
      'http://app.test/login?error=OAUTH_FAILED',
    ]);
  }
});

test('F-18 no address of the configuration is a script: links in mails and redirects are made of them', () => {
  const names = Object.keys(variables).filter((name) =>
    /_URL$|_ISSUER$|^ALLOWED_ORIGINS$/.test(name),
  );
  expect(names).toEqual(expect.arrayContaining(['APP_URL', 'BASE_URL', 'OAUTH_OIDC_ISSUER']));
  const development = { ...SECRETS, NODE_ENV: 'development' };
  for (const name of names.filter((each) => each !== 'DATABASE_URL')) {
    for (const value of SCRIPTS) {
      const start = () => readConfig({ ...development, [name]: value });
      expect(start, `${name}=${value}`).toThrow(name);
    }
  }
});
