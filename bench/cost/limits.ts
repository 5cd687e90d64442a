/**
 * Limits of `npm run suite -- cost`, each with its reason. A figure above its limit plus its spread fails; for one below its limit
 * by more than its spread, the suite prints the line that lowers it. The spread is the difference between the highest and the
 * lowest of ten runs (`npm run suite -- cost --spread 10`).
 */
export interface Limit {
  readonly limit: number
  readonly spread: number
}

export const limits = {
  // Each is a round trip. Intake begins, writes `messages`, `in_flight` and the ledger, and commits. Dispatch claims, and records.
  // Settle begins, matches the receipt, writes its result, closes, counts (ledger and usage), numbers and writes the report, and
  // commits.
  'SMS: statements': { limit: 16, spread: 0 },
  // Intake, claim, record and settle: each is flushed to the disk before the next stage.
  'SMS: transactions': { limit: 4, spread: 0 },
  // The seven rows of bench/README.md, and four that a batch shares: two of the ledger, usage, and the number of the report.
  'SMS: rows': { limit: 11, spread: 0 },
  // The rows with their index entries, for the first messages of a day: 0.7 KB are summaries of the index of recipients. Another row
  // adds at least 100.
  'SMS: bytes of log': { limit: 3085, spread: 20 },
  // As an SMS, and for the refusal: claim, record, settle and release of the fallback.
  'fallback: statements': { limit: 25, spread: 0 },
  'fallback: transactions': { limit: 8, spread: 0 },
  'fallback: rows': { limit: 18, spread: 0 },
  'fallback: bytes of log': { limit: 5995, spread: 30 },
  // Polls of an API and two workers for work of other processes and changed settings. They run in every installation, day and
  // night.
  'idle: statements per second': { limit: 41, spread: 1.1 },
  // What a message costs beyond the smallest program with the same guarantee, without simulator and load generator. One process
  // differs from the next by a quarter on a shared machine, whatever the length of a run, so this shows only a large regression,
  // and CI leaves it out (`--counts`).
  'CPU of a message, bare = 1': { limit: 1.244, spread: 0.277 },
  // The part of the worker in it.
  'CPU of the worker, bare = 1': { limit: 0.468, spread: 0.136 },
} satisfies Record<string, Limit>

export type FigureName = keyof typeof limits
