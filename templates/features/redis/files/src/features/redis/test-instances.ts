import { hasRedis, redisEnvironment } from '../../../test/redis.js';

/** Instances under test share a Redis, if there is one. */
export const redisTestInstances = async () => ((await hasRedis()) ? redisEnvironment() : {});
