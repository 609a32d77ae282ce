/*
 * A shard's life. Postgres holds it; a BullMQ message only says "look at this shard".
 *
 *   waiting ──dispatcher──▶ dispatched ──claim──▶ leased ──last sample recorded──▶ done
 *      ▲                        │                   │
 *      │   message vanished,    │                   │ lease expired (database clock), clean release,
 *      └── nothing fits yet ◀───┘                   │ engine crash, retryable sample errors
 *      └────────────────────────────────────────────┘
 *
 * waiting     Nobody works on it. `not_before` holds it back after a failure.
 * dispatched  A message `shard-<id>-<dispatch>` exists, or did: the reconciler turns it back when BullMQ lost it.
 * leased      One worker owns it: `fence` and `claim_token` name that ownership, `lease_until` ends it. Every write proves both.
 * done        `end_reason` says why: completed, capped, cancelled, halted. Samples without an outcome are then `not_run`.
 *
 * `starts` counts starts since the last recorded sample, so only fruitless ones: a clean release gives its start back, and so
 * does one recorded outcome. After MAX_STARTS the rest ends as `error`.
 * `crashes` counts engine crashes with this shard's samples in flight; such a start counts here and not there, or the second
 * limit would never be reached. After SINGLY_AFTER the rest runs one example per shard, each alone in its worker, so that no
 * other is blamed; a single example that reaches MAX_CRASHES ends as `error`. Lost leases and preemptions are not crashes.
 */

export type ShardEnd = 'completed' | 'capped' | 'cancelled' | 'halted';

export const MAX_STARTS = 3;
export const SINGLY_AFTER = 2;
export const MAX_CRASHES = 4;
