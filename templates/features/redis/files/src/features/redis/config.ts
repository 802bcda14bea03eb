import { variable } from '../../environment/parsers.js';

export const redisVariables = {
  REDIS_URL: variable('a URL such as redis://user:secret@host:6379', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isRedis = url?.protocol === 'redis:' || url?.protocol === 'rediss:';
    // A query would be read as options, and could make requests wait after all.
    return isRedis && url.hostname !== '' && !url.search && !url.hash ? text : undefined;
  }).optional(),
  REDIS_PREFIX: variable('letters, digits and any of _:{}.-', (text) =>
    /^[\w:{}.-]{1,64}$/.test(text) ? text : undefined,
  ).prefault('auth'),
};
