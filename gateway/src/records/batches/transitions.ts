/**
 * The states of a batch, and the statement of each transition. Every statement locks the row of the batch and names the states
 * that it leaves, so it has no effect if a concurrent transition has already left them. A database trigger increments the
 * version of the trust topic `batches` when a batch is paused, resumed or cancelled.
 */
import type { Queryable } from '../../platform/database/database.ts'
import { enterState, type EndState } from '../../platform/transitions.ts'
import { dropContent } from './stored-bytes.ts'

/** States of a batch, with what a worker does in each of them. A crash repeats the work since the stored position. */
export const batchTransitions = {
  /** Lines can be uploaded. No worker reads the batch. */
  open: ['checking', 'cancelled'],
  /** A worker finds duplicates and checks every line, page by page. An upload opens the batch again. */
  checking: ['open', 'ready', 'cancelled'],
  /** Every line is checked. */
  ready: ['open', 'running', 'cancelled'],
  /** A worker creates messages, page by page. */
  running: ['paused', 'ended', 'cancelled'],
  /** No message is created, and those that were not submitted wait. */
  paused: ['running', 'cancelled'],
  /** No message is created, and those that were not submitted end. The others receive their reports. */
  cancelled: [],
  /** Every line has its result, and every message its report. */
  ended: [],
} as const

export type BatchState = keyof typeof batchTransitions
export type BatchEndState = EndState<typeof batchTransitions>

/** The number of lines that are not decided. The batch is complete when it is 0. */
export const waitingLinesSql = '(b.lines - b.duplicates - b.refused - b.cancelled - b.messages)'

/** SQL condition: the message of the row `alias` of `in_flight` belongs to a cancelled batch. */
export const isCancelledSql = (alias: string): string =>
  `coalesce((select c.state = 'cancelled' from batches c where c.id = ${alias}.batch_id), false)`

type Transition = (database: Queryable, batchId: number) => Promise<boolean>

/** Returns a function that makes the transition, and reports whether the batch was in one of the states `from`. */
function createTransition(
  to: BatchState,
  from: readonly BatchState[],
  { set, where = 'true' }: { readonly set: string; readonly where?: string },
): Transition {
  // Throws if the table above does not contain the transition.
  for (const state of from) enterState(batchTransitions, state, to)
  const text = `update batches b set state = '${to}', changed_at = now(), ${set}
                 where id = $1 and state = any ($2) and ${where}`
  return async (database, batchId) => (await database.query(text, [batchId, from])).rowCount === 1
}

const atFirstPage = 'next_part = 0, next_page = 0'

/** Begins the check of all lines. */
export const beginCheck = createTransition('checking', ['open'], { set: `${atFirstPage}, next_at = now()` })

const reopen = createTransition('open', ['checking', 'ready'], {
  set: `${atFirstPage}, starts = false, duplicates = 0, refused = 0, codes = '{}'`,
})

/** Allows another upload. The next check decides every line again. Must be called in a transaction. */
export const reopenBatch: Transition = async (transaction, batchId) => {
  if (!(await reopen(transaction, batchId))) return false
  await transaction.query(`update batch_pages set codes = '{}' where batch_id = $1 and codes <> '{}'`, [
    batchId,
  ])
  return true
}

/** Ends the check. To start the batch, call `startBatch` in the same transaction. */
export const completeCheck = createTransition('ready', ['checking'], { set: atFirstPage })

/** Starts the creation of messages, at the time that the client set. */
export const startBatch = createTransition('running', ['ready'], {
  set: 'next_at = greatest(now(), start_at), started_at = now()',
})

/** Waits for the transaction of a worker that creates messages; after its commit, no more are created. */
export const pauseBatch = createTransition('paused', ['running'], { set: 'next_at = now()' })

/** Begins when all workers have read the rules again: a batch is often paused to change what refuses its lines. */
export const resumeBatch = createTransition('running', ['paused'], {
  set: `next_at = greatest(now() + interval '1250 milliseconds', start_at)`,
})

const cancel = createTransition('cancelled', ['open', 'checking', 'ready', 'running', 'paused'], {
  set: `cancelled = b.cancelled + ${waitingLinesSql}, ended_at = now()`,
})

/**
 * Cancels every line that is not decided, and drops the recipients, which would count against the quota of the account.
 * Waits for the worker as `pauseBatch` does. Must be called in a transaction.
 */
export const cancelBatch: Transition = async (transaction, batchId) => {
  if (!(await cancel(transaction, batchId))) return false
  await dropContent(transaction, [batchId])
  return true
}

/** Ends the batch if every line is decided and no message is open. */
export const endBatch = createTransition('ended', ['running'], {
  set: 'ended_at = now()',
  where: `${waitingLinesSql} = 0 and not exists (select from in_flight where batch_id = b.id)`,
})
