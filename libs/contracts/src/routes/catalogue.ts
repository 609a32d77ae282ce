import { jobRoutes } from './job-routes.js';
import { keyRoutes } from './key-routes.js';
import { modelRoutes } from './model-routes.js';
import { outcomeRoutes } from './outcome-routes.js';
import { type Route } from './route.js';
import { serviceRoutes } from './service-routes.js';
import { submissionRoutes } from './submission-routes.js';
import { suiteRoutes } from './suite-routes.js';
import { verdictRoutes } from './verdict-routes.js';

/** Every route of the HTTP API by its operation id, in the order in which documents show them. */
export const ROUTES = {
  ...suiteRoutes,
  ...submissionRoutes,
  ...jobRoutes,
  ...outcomeRoutes,
  ...verdictRoutes,
  ...modelRoutes,
  ...keyRoutes,
  ...serviceRoutes,
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;

/** The catalogue as a list of plain routes. */
export function allRoutes(): Route[] {
  return Object.values(ROUTES);
}
