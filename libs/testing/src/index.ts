export { freePort } from './free-port.js';
export { forkModule } from './fork-module.js';
export { guardChild, guardProcess, scratchFolder } from './process-guard.js';
export { requireProgram, type ProgramSkip } from './require-program.js';
export { startFaultProxy, FaultProxy, type FaultMode } from './start-fault-proxy.js';
export { startPostgres, TestPostgres, type Migrate, type PostgresOptions, type StopMode } from './start-postgres.js';
export { startRedis, TestRedis, type RedisOptions } from './start-redis.js';
export { startServerProcess, ServerProcess, type ServerCommand } from './server-process.js';
