export { migrate, isMigrated } from './migrations/migrate.js';
export { schemaDrift } from './migrations/schema-drift.js';
