/** Blocks and unblocks accounts. A block takes effect with its commit; workers then process the backlog. */
import { findAccountId } from '../../identity/accounts/queries.ts'
import {
  endBlock,
  saveBlockCounts,
  insertBlock,
  type AccountBlock,
  type NewBlock,
} from '../../identity/accounts/blocks.ts'
import { isDatabaseUnavailable, type Database } from '../../platform/database/database.ts'
import { countEnded, countOpenBySubmission } from '../../records/messages/stopped.ts'
import { countSuspended, resumeSuspended } from '../../records/waiting/suspended.ts'
import { noSuchAccount } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'

const rule = 'account-stopped'

export interface BlockCounts {
  /** Messages already submitted to carriers. */
  readonly submitted: number
  readonly closed: number
  readonly held: number
  /** Messages that are neither submitted nor closed nor held yet. */
  readonly open: number
}

export async function countBlockedMessages(
  database: Database,
  { accountId, reportSeq }: AccountBlock,
): Promise<BlockCounts> {
  const { submitted, unsubmitted } = await countOpenBySubmission(database, accountId)
  const { ended } = await countEnded(database, accountId, reportSeq)
  const heldCount = await countSuspended(database, accountId, rule)
  return { submitted, closed: ended, held: heldCount, open: Math.max(0, unsubmitted - heldCount) }
}

export interface BlockResult {
  readonly stop: AccountBlock
  /** `null` if they could not be counted in time; the account is blocked anyway. */
  readonly counts: BlockCounts | null
}

export async function blockAccount(
  database: Database,
  audit: AuditRecorder,
  clientId: string,
  { backlog, notice }: NewBlock,
): Promise<BlockResult> {
  const act = audit.contextFor('blocked')
  const stop = await audit.change(async (transaction) => {
    const stopped = await insertBlock(transaction, clientId, act, { backlog, notice })
    if (stopped === null) throw noSuchAccount(clientId)
    const details = { backlog, notice: notice ?? null, webhooks: stopped.webhooks }
    return [stopped, { target: clientId, account: clientId, details }] as const
  })
  return { stop, counts: await countAndSave() }

  /** Runs after the commit: a database error here must not suggest that the block failed. */
  async function countAndSave(): Promise<BlockCounts | null> {
    try {
      const counts = await countBlockedMessages(database, stop)
      await saveBlockCounts(database, stop.id, counts)
      return counts
    } catch (error) {
      if (isDatabaseUnavailable(error)) return null
      throw error
    }
  }
}

/** Returns the number of held messages that are resumed. */
export async function unblockAccount(
  database: Database,
  audit: AuditRecorder,
  clientId: string,
): Promise<number> {
  const id = await findAccountId(database, clientId)
  const heldCount = id === null ? 0 : await countSuspended(database, id, rule)
  const accountId = await audit.change(async (transaction) => {
    const ended = await endBlock(transaction, clientId, audit.contextFor('unblocked'))
    if (ended === null) throw noSuchAccount(clientId)
    return [ended.accountId, { target: clientId, account: clientId, details: { held: heldCount } }] as const
  })
  // Messages are resumed after the commit, so that other blocks do not wait. If this is interrupted, repeating the
  // request resumes the rest.
  return resumeSuspended(database, accountId, rule)
}
