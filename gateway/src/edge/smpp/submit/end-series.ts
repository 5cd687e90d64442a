import type { Account } from '../../../identity/accounts/account.ts'
import { parseKeyTime } from '../../../contract/msg-key.ts'
import type { Send } from '../../../pipeline/accept/send.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { clock } from '../../../platform/time/clock.ts'
import { safeText } from '../../../platform/logging/log-error.ts'
import { findContents } from '../../../records/messages/contents.ts'
import { createAcceptMessage, type AcceptMessage } from './accept-message.ts'
import { readComplete } from './parts.ts'
import {
  closeSeries,
  endIncomplete,
  refuseSeries,
  claimUnclosedSeries,
  type UnclosedSeries,
} from './series.ts'
import { isTemporary, submitStatus } from '../statuses.ts'

export interface EndSeriesContext {
  readonly database: Database
  readonly send: Pick<Send, 'simple'>
  readonly getAccount: (accountId: number) => Account | undefined
  readonly log: Log
}

/**
 * Ends long messages whose next part does not arrive: the parts of incomplete ones get receipts. Complete ones whose
 * acceptance is unknown (the process was killed, PostgreSQL or the broker did not respond) are accepted again under the
 * same msgKey, which intake records once.
 */
export async function endSeries(context: EndSeriesContext): Promise<void> {
  const { database, log } = context
  await inTransaction(database, (transaction) => endIncomplete(transaction))
  const accept = createAcceptMessage(context.send)
  for (const unclosed of await claimUnclosedSeries(database))
    try {
      await endUnclosed(context, accept, unclosed)
    } catch (error) {
      log.warn(
        { msgKey: unclosed.msgKey, reason: safeText(error) },
        'a complete message of SMPP parts could not be accepted; it is retried in two minutes',
      )
    }
}

/** A published message is recorded or parked within this time, or its queue has lost it. */
const recordedWithinMs = 3_600_000

const isOld = (msgKey: string): boolean => clock.hasPassed(parseKeyTime(msgKey) + recordedWithinMs)

async function endUnclosed(
  { database, getAccount }: EndSeriesContext,
  accept: AcceptMessage,
  { msgKey, accountId, parts }: UnclosedSeries,
): Promise<void> {
  const recorded = await findContents(database, accountId, [msgKey])
  if (recorded.length > 0) return closeSeries(database, msgKey)
  const complete = await readComplete(database, msgKey, parts)
  if (complete === null) return
  try {
    const account = getAccount(accountId)
    if (account === undefined) throw new Error('the account is unknown to this process')
    // A process may have published the message before it ended, so a refusal now does not mean that it is not sent.
    const earlier = isOld(msgKey) ? 'none' : 'unknown'
    await accept(account, complete, { reserved: { msgKey, earlier }, isRepeated: true })
  } catch (error) {
    if (isTemporary(submitStatus(error))) throw error
    return inTransaction(database, (transaction) => refuseSeries(transaction, msgKey, 0))
  }
  await closeSeries(database, msgKey)
}
