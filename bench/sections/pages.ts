import { type Contestant, compare, type Load } from '../load.js';
import { atMost, microseconds, type Row, timesOf } from '../report.js';
import { addVisitors, adminCookies, type Framework, startService } from '../service.js';

/** The CPU time that a page may take beyond the JSON of the same data. */
const goalMicroseconds = 500;

/** Pages, each with the API route that reads the same data. */
const forAll = { '/auth/ui/login': '/auth/ui/config' };
const account = {
  '/auth/ui/account': '/auth/me',
  '/auth/ui/account/sessions': '/auth/sessions',
};
const panel = {
  '/admin': '/admin/api/overview',
  '/admin/users': '/admin/api/users?cursor=',
};

/** CPU time of pages, each compared with the JSON of what it shows. */
export async function measurePages(
  load: Load,
  rounds: number,
  framework: Framework,
): Promise<Row[]> {
  await using service = await startService(framework);
  const own = await addVisitors(service.port, 1);
  const cookie = await adminCookies(service.port);
  const people = own.map(({ meByCookie }) => meByCookie.headers ?? {});
  const pairs = [
    ...Object.entries(forAll).map((pair) => ({ pair, headers: [{}] })),
    ...Object.entries(account).map((pair) => ({ pair, headers: people })),
    ...Object.entries(panel).map((pair) => ({ pair, headers: [{ Cookie: cookie }] })),
  ];
  const contestants = pairs.flatMap(({ pair, headers }) =>
    pair.map((path): [string, Contestant] => {
      const requests = headers.map((each) => ({ method: 'GET' as const, path, headers: each }));
      return [path, { server: service, requests }];
    }),
  );
  const limits = { rounds, count: 2_000, seconds: 3 };
  const costs = await compare(load, Object.fromEntries(contestants), limits);
  return pairs.flatMap(({ pair: [page, json] }) => {
    const [ours, against] = [costs[page], costs[json]];
    if (!ours || !against) return [];
    return {
      measure: `${framework}: ${page}, over its JSON`,
      ours: microseconds(ours.cpu),
      against: `${microseconds(against.cpu)} ${json}, ${timesOf(ours.cpu / against.cpu)}`,
      ...atMost(goalMicroseconds, ours.cpu - against.cpu, (more) => `+ ${microseconds(more)}`),
    };
  });
}
