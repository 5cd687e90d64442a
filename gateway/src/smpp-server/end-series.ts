/**
 * Ends long messages that no part ends: those with missing parts get their receipts; those that are complete and whose acceptance is
 * not known (the process was killed, PostgreSQL or the broker did not answer) are accepted again under the same msgKey, which intake
 * records once. Called every few seconds by the SMPP server role.
 */
import type { Account } from '../accounts/account.ts'
import type { Send } from '../pipeline/accept/send.ts'
import { inTransaction, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { safeText } from '../platform/log-error.ts'
import { findContents } from '../records/messages/contents.ts'
import { createAcceptMessage, type AcceptMessage } from './accept-message.ts'
import { readComplete } from './parts.ts'
import { closeSeries, endIncomplete, refuseSeries, takeUnclosed, type Unclosed } from './series.ts'
import { isTemporary, submitStatus } from './statuses.ts'

export interface EndSeriesContext {
  readonly database: Database
  readonly send: Pick<Send, 'simple'>
  readonly accountOf: (accountId: number) => Account | undefined
  readonly log: Log
}

export async function endSeries(context: EndSeriesContext): Promise<void> {
  const { database, log } = context
  await inTransaction(database, (transaction) => endIncomplete(transaction))
  const accept = createAcceptMessage(context.send)
  for (const unclosed of await takeUnclosed(database))
    try {
      await endOne(context, accept, unclosed)
    } catch (error) {
      log.warn(
        { msgKey: unclosed.msgKey, reason: safeText(error) },
        'a complete message of SMPP parts could not be accepted; it is tried again in two minutes',
      )
    }
}

async function endOne(
  { database, accountOf }: EndSeriesContext,
  accept: AcceptMessage,
  { msgKey, accountId, parts }: Unclosed,
): Promise<void> {
  const recorded = await findContents(database, accountId, [msgKey])
  if (recorded.length > 0) return closeSeries(database, msgKey)
  const complete = await readComplete(database, msgKey, parts)
  if (complete === null) return
  try {
    const account = accountOf(accountId)
    if (account === undefined) throw new Error('the account is not in the copy of this process')
    await accept(account, complete, { reservedKey: msgKey, isAgain: true })
  } catch (error) {
    if (isTemporary(submitStatus(error))) throw error
    return inTransaction(database, (transaction) => refuseSeries(transaction, msgKey, 0))
  }
  await closeSeries(database, msgKey)
}
