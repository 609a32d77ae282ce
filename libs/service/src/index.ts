export { requireDatabaseUrl } from './require-database-url.js';
export { runService, type RunningService, type ServiceContext } from './run-service.js';
