import { type ErrorCode } from './error-code.js';

/** The one place where an error code becomes an HTTP status. `satisfies` makes it exhaustive. */
export const ERROR_STATUS = {
  eval_invalid_request: 400,
  invalid_suite_name: 400,
  eval_suite_not_found: 404,
  eval_suite_exists: 409,
  eval_job_not_found: 404,
  eval_job_in_use: 409,
  eval_queue_full: 503,
  eval_tracked_full: 503,
  eval_registry_unavailable: 503,
  eval_blinded: 403,
  dataset_not_found: 404,
  dataset_exists: 409,
  dataset_invalid: 400,
  dataset_registry_unavailable: 503,
  judgment_not_found: 404,
  judgment_invalid: 400,
  judgment_store_unavailable: 503,
  inference_disabled_by_profile: 503,
  model_not_found: 404,
  adapter_not_found: 404,
  target_not_served: 400,
  target_changed: 409,
  target_invalid: 400,
  key_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  unauthorized: 401,
  forbidden: 403,
  idempotency_key_reused: 409,
  payload_too_large: 413,
  rate_limited: 429,
  halted: 503,
  database_unavailable: 503,
  internal_error: 500,
} as const satisfies Record<ErrorCode, number>;

/** Seconds a client should wait before it tries again; sent as `Retry-After`. Codes that are not here do not get better by waiting. */
export const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  eval_queue_full: 15,
  eval_tracked_full: 15,
  database_unavailable: 5,
  eval_registry_unavailable: 5,
  rate_limited: 1,
};
