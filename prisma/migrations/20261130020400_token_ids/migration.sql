-- The tokens of completions, which replays compare. Only adds: the version before it goes on serving, and stores none, meanwhile.

-- AlterTable
ALTER TABLE "traces" ADD COLUMN     "token_ids" BYTEA;

-- Verdicts of replays say since then which token differs first. Those that are stored do not know.
UPDATE "jobs"
   SET "replay_verdict" = jsonb_set("replay_verdict", '{first_difference}',
         '{"token": null, "expected_token": null, "actual_token": null, "expected_tokens": null, "actual_tokens": null}'
         || ("replay_verdict"->'first_difference'))
 WHERE jsonb_typeof("replay_verdict"->'first_difference') = 'object';
