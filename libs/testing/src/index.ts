export { admitEchoJob, echoAdmission, ECHO_QUEUE, type EchoJob, type EchoJobOptions } from './admit-echo-job.js';
export { forkModule } from './fork-module.js';
export { DEFAULT_PROJECT, insertEchoSuite, type EchoSuite } from './insert-echo-suite.js';
export { guardChild } from './process-guard.js';
export { requireProgram, type ProgramSkip } from './require-program.js';
export { startFaultProxy, FaultProxy, type FaultMode } from './start-fault-proxy.js';
export { startPostgres, TestPostgres, type Migrate, type PostgresOptions, type StopMode } from './start-postgres.js';
export { startRedis, TestRedis, type RedisOptions } from './start-redis.js';
