-- The tokens of completions, which replays compare. Only adds: the version before it goes on serving, and writes none, meanwhile.

-- AlterTable
ALTER TABLE "traces" ADD COLUMN     "token_ids" BYTEA;
