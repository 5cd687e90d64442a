import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from '../../../identity/accounts/account.ts'
import { consumeLimit, type LimitOptions } from '../../api/limits/http.ts'
import { createMsgKey } from '../../../contract/msg-key.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Send } from '../../../pipeline/accept/send.ts'
import { BrokerUnavailable } from '../../../platform/broker/publish.ts'
import { clock } from '../../../platform/time/clock.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import type { BlindIndex } from '../../../platform/encryption/blind-index.ts'
import { safeText } from '../../../platform/logging/log-error.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { createAcceptMessage } from './accept-message.ts'
import { closeSeries, refuseSeries, reopenSeries, storeSmppPart, type NewSmppPart } from './series.ts'
import type { SubmitResponse } from '../session-responses.ts'
import { isTemporary, submitStatus } from '../statuses.ts'
import { partId } from '../delivery/submit-ref.ts'
import type { SubmitRequest } from './submit-request.ts'

export interface SmppSubmitContext {
  readonly send: Pick<Send, 'simple'>
  readonly limits: LimitOptions
  readonly database: Database
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly cell: string
  readonly log: Log
}

const closeTries = 3
const closePauseMs = 100

/**
 * Accepts a submit_sm with the checks, limits and acceptance of the send endpoints. It responds with status 0 only
 * after the broker has confirmed the message, or for a part of a longer message after PostgreSQL has committed it.
 */
export type Submit = (account: Account, request: SubmitRequest) => Promise<SubmitResponse>

export function createSubmit(context: SmppSubmitContext): Submit {
  const { limits, database, cell, log } = context
  const accept = createAcceptMessage(context.send)
  const runInOrder = createSerializer()

  async function acceptPart(account: Account, request: SubmitRequest): Promise<string> {
    const { part, parts } = request.segment!
    const index = await context.openBlindIndex()
    const series = index.of(getSeriesName(request), account.id)
    const now = new Date(request.sendAt ?? clock.now())
    const added: NewSmppPart = {
      series,
      accountId: account.id,
      part,
      parts,
      request,
      digest: index.of(`part/${JSON.stringify(request.body)}`, account.id),
      msgKey: createMsgKey(cell, now),
    }
    // A long message counts once, with the part that begins it.
    const begin = async (): Promise<void> => {
      await consumeLimit(account, 'send', limits)
    }
    // Parts of one message wait for each other here, where they hold no connection.
    const { msgKey, complete } = await runInOrder(series.toString('base64'), () =>
      inTransaction(database, (transaction) => storeSmppPart(transaction, added, begin)),
    )
    if (complete !== null) {
      try {
        await accept(account, complete, { reserved: { msgKey, earlier: 'none' } })
      } catch (error) {
        await endRefused(msgKey, part, error)
        throw error
      }
      await close(msgKey)
    }
    return partId(msgKey, part)
  }

  /**
   * Ends a failed message whose other parts got a positive response: after a refusal they get receipts,
   * otherwise they wait for this part to be repeated.
   */
  async function endRefused(msgKey: string, part: number, error: unknown): Promise<void> {
    // The message may be in the queue, so it stays complete and is accepted again under the same msgKey.
    if (error instanceof BrokerUnavailable && error.maybePublished) return
    const end = isTemporary(submitStatus(error)) ? reopenSeries : refuseSeries
    await inTransaction(database, (transaction) => end(transaction, msgKey, part))
  }

  /** Marks the message as accepted. If that fails it stays complete, and `endSeries` closes it. */
  async function close(msgKey: string): Promise<void> {
    for (let tries = 1; tries <= closeTries; tries++)
      try {
        return await closeSeries(database, msgKey)
      } catch (error) {
        log.debug({ reason: safeText(error), tries }, 'an accepted message of SMPP parts could not be closed')
        if (tries < closeTries) await pause(closePauseMs)
      }
  }

  return async (account, request) => {
    try {
      if (request.segment !== null)
        return { status: statuses.ESME_ROK, messageId: await acceptPart(account, request) }
      const limited = consumeLimit(account, 'send', limits)
      if (limited !== null) await limited
      return { status: statuses.ESME_ROK, messageId: await accept(account, [request], {}) }
    } catch (error) {
      if (error instanceof Problem) {
        const { code, message } = error
        return { status: submitStatus(error), messageId: '', explanation: `${code} ${message}` }
      }
      log.debug({ reason: safeText(error) }, 'a submit_sm could not be accepted; the client can retry')
      return { status: submitStatus(error), messageId: '', explanation: 'A920 Service busy: send it again' }
    }
  }
}

function getSeriesName({ sender, recipient, segment }: SubmitRequest): string {
  const { bits, reference, parts } = segment!
  return ['submit', sender.number, recipient.number, bits, reference, parts].join('/')
}

/** Serialises work with the same name. */
function createSerializer(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const before = last.get(name)
    const turn = before === undefined ? work() : before.then(work, work)
    last.set(name, turn)
    const leave = (): void => {
      if (last.get(name) === turn) last.delete(name)
    }
    turn.then(leave, leave)
    return turn
  }
}
