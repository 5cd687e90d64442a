/**
 * Accepts a submit_sm with the checks, limits and acceptance of the send endpoints. It answers status 0 only after the broker has
 * confirmed the message, or for a part of a longer one after PostgreSQL has committed the part.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from '../accounts/account.ts'
import { takeLimit, type LimitOptions } from '../api/limits/http.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { Problem } from '../contract/problem.ts'
import type { Send } from '../pipeline/accept/send.ts'
import { BrokerUnavailable } from '../platform/broker/publish.ts'
import { clock } from '../platform/clock.ts'
import { inTransaction, type Database } from '../platform/database.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import { safeText } from '../platform/log-error.ts'
import type { Log } from '../platform/log.ts'
import { statuses } from '../smpp/status.ts'
import { createAcceptMessage } from './accept-message.ts'
import { closeSeries, refuseSeries, reopenSeries, storePart, type NewPart } from './series.ts'
import type { SubmitAnswer } from './session-answers.ts'
import { isTemporary, submitStatus } from './statuses.ts'
import { partId } from './submit-ref.ts'
import type { SubmitRequest } from './submit-request.ts'

export interface SubmitContext {
  readonly send: Pick<Send, 'simple'>
  readonly limits: LimitOptions
  readonly database: Database
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly cell: string
  readonly log: Log
}

const closeTries = 3
const closePauseMs = 100

export type Submit = (account: Account, request: SubmitRequest) => Promise<SubmitAnswer>

export function createSubmit(context: SubmitContext): Submit {
  const { limits, database, cell, log } = context
  const accept = createAcceptMessage(context.send)
  const inTurn = createTurns()

  async function acceptPart(account: Account, request: SubmitRequest): Promise<string> {
    const { part, parts } = request.place!
    const index = await context.openBlindIndex()
    const series = index.of(nameOfSeries(request), account.id)
    const now = new Date(request.sendAt ?? clock.now())
    const added: NewPart = {
      ...{ series, accountId: account.id, part, parts, request },
      digest: index.of(`part/${JSON.stringify(request.body)}`, account.id),
      msgKey: createMsgKey(cell, now),
    }
    // A long message counts once: with the part that begins it.
    const begin = async (): Promise<void> => {
      await takeLimit(account, 'send', limits)
    }
    // Parts of one message wait for each other here, where they hold no connection.
    const { msgKey, complete } = await inTurn(series.toString('base64'), () =>
      inTransaction(database, (transaction) => storePart(transaction, added, begin)),
    )
    if (complete !== null) {
      try {
        await accept(account, complete, { reservedKey: msgKey })
      } catch (error) {
        await endRefused(msgKey, part, error)
        throw error
      }
      await close(msgKey)
    }
    return partId(msgKey, part)
  }

  /** The other parts were answered. After a refusal their receipts say so; otherwise they wait for this part to come again. */
  async function endRefused(msgKey: string, part: number, error: unknown): Promise<void> {
    // It may be in the queue: it stays complete, and is accepted again under the same msgKey.
    if (error instanceof BrokerUnavailable && error.maybePublished) return
    const end = isTemporary(submitStatus(error)) ? reopenSeries : refuseSeries
    await inTransaction(database, (transaction) => end(transaction, msgKey, part))
  }

  /** Without success the message stays complete, and end-series.ts closes it. */
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
      if (request.place !== null)
        return { status: statuses.ESME_ROK, messageId: await acceptPart(account, request) }
      const limited = takeLimit(account, 'send', limits)
      if (limited !== null) await limited
      return { status: statuses.ESME_ROK, messageId: await accept(account, [request], {}) }
    } catch (error) {
      if (error instanceof Problem) {
        const { code, message } = error
        return { status: submitStatus(error), messageId: '', explanation: `${code} ${message}` }
      }
      log.debug(
        { reason: safeText(error) },
        'a submit_sm could not be accepted; the client may send it again',
      )
      return { status: submitStatus(error), messageId: '', explanation: 'A920 Service busy: send it again' }
    }
  }
}

function nameOfSeries({ sender, recipient, place }: SubmitRequest): string {
  const { bits, reference, parts } = place!
  return ['submit', sender.number, recipient.number, bits, reference, parts].join('/')
}

/** Runs work with the same name one after the other. */
function createTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
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
