/**
 * Actions of clients on a batch. Each is repeatable: it does nothing if its effect exists already. Workers notice a pause, a
 * resumption and a cancellation within two seconds, and apply it to messages that wait.
 */
import type { Step } from '../../channels/channel.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Queryable } from '../../platform/database/database.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import { unpackContent } from '../../records/batches/lines.ts'
import {
  beginCheck,
  cancelBatch,
  pauseBatch,
  resumeBatch,
  startBatch,
  type BatchState,
} from '../../records/batches/transitions.ts'
import { findExceededQuota } from '../../records/batches/stored-bytes.ts'
import { lockBatch, startAfterCheck, type LockedBatch } from '../../records/batches/uploads.ts'
import type { BatchContext } from './batch-context.ts'

export interface BatchId {
  readonly accountId: number
  readonly batchKey: string
}

export const batchActions = ['check', 'start', 'pause', 'resume', 'cancel'] as const
export type BatchAction = (typeof batchActions)[number]

export async function changeBatch(context: BatchContext, id: BatchId, action: BatchAction): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const batch = await requireBatch(transaction, id)
    if (action === 'start') await requestStart(context, transaction, id.accountId, batch)
    else await change(transaction, batch, action)
  })
}

/** Locks the batch. Throws a Problem if the account has none with this id. */
export async function requireBatch(
  transaction: Queryable,
  { accountId, batchKey }: BatchId,
): Promise<LockedBatch> {
  const batch = isMsgKey(batchKey) ? await lockBatch(transaction, accountId, batchKey) : null
  if (batch === null) throw unknownBatch()
  return batch
}

export function unknownBatch(): Problem {
  return new Problem('A350', 'Unknown batch: the account has no batch with this id')
}

/** The transition of each action, and the states in which it has nothing to do. */
const effects: Readonly<
  Record<
    Exclude<BatchAction, 'start'>,
    { readonly done: readonly BatchState[]; readonly transit: typeof beginCheck }
  >
> = {
  check: { done: ['checking', 'ready', 'running', 'paused', 'ended'], transit: beginCheck },
  pause: { done: ['paused'], transit: pauseBatch },
  resume: { done: ['running'], transit: resumeBatch },
  cancel: { done: ['cancelled'], transit: cancelBatch },
}

async function change(
  transaction: Queryable,
  batch: LockedBatch,
  action: keyof typeof effects,
): Promise<void> {
  const { done, transit } = effects[action]
  if (done.includes(batch.state)) return
  if (action === 'check') requireLines(batch)
  if (!(await transit(transaction, batch.id))) throw wrongState(batch.state, action)
}

/**
 * Starts a batch, or lets it start after its check. Throws a Problem if it was cancelled or has no lines, or if its
 * lines exceed a cap of the account.
 */
export async function requestStart(
  context: BatchContext,
  transaction: Queryable,
  accountId: number,
  batch: LockedBatch,
): Promise<void> {
  const { state } = batch
  if (state === 'running' || state === 'paused' || state === 'ended') return
  if (state === 'cancelled') throw wrongState(state, 'start')
  requireLines(batch)
  await requireWithinCaps(context, accountId, batch)
  if (state === 'ready') await startBatch(transaction, batch.id)
  else await startAfterCheck(transaction, batch.id)
  if (state === 'open') await beginCheck(transaction, batch.id)
}

function requireLines({ lines }: LockedBatch): void {
  if (lines === 0)
    throw new Problem('A351', 'Not possible now: the batch has no recipients; upload them first')
}

async function requireWithinCaps(
  { findReachedCap }: BatchContext,
  accountId: number,
  batch: LockedBatch,
): Promise<void> {
  const content = await unpackContent(batch.batchKey, batch)
  // Caps count the channels of a flow, whatever the recipient is.
  const steps = (content?.messageFlow ?? []).map((entry) => ({ channel: Object.keys(entry)[0] }) as Step)
  const at = Math.max(batch.startAt?.getTime() ?? 0, clock.now())
  const problem = await findReachedCap(accountId, { to: '', steps }, batch.waiting, at)
  if (problem !== null) throw problem
}

/** Throws a Problem if the account cannot store this many bytes more. */
export async function requireQuota(transaction: Queryable, accountId: number, bytes: number): Promise<void> {
  const megabytes = await findExceededQuota(transaction, accountId, bytes)
  if (megabytes === null) return
  throw new Problem(
    'A353',
    `Batch storage full: the batches of the account may occupy ${megabytes} MiB; cancel one, wait until old ones are deleted, or ask the operator`,
  )
}

export function wrongState(state: BatchState, action: string): Problem {
  return new Problem('A351', `Not possible now: cannot ${action} a batch that is ${state}`)
}
