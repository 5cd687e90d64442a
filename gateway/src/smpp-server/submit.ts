/**
 * Accepts a submit_sm with the checks, limits and acceptance of the send endpoints. It answers status 0 only after the broker has
 * confirmed the message, or for a part of a longer one after PostgreSQL has committed the part.
 */
import type { Account } from '../accounts/account.ts'
import { takeLimit, type LimitOptions } from '../api/limits/http.ts'
import type { ChannelName } from '../channels/channel.ts'
import { maxTextBytes } from '../channels/sms/sms.ts'
import { bytesOf } from '../channels/text/bytes.ts'
import { normalizeText } from '../channels/text/normalize.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { Problem } from '../contract/problem.ts'
import { checkSendAt } from '../pipeline/accept/send-at.ts'
import type { Send } from '../pipeline/accept/send.ts'
import { clock } from '../platform/clock.ts'
import { inTransaction, type Database } from '../platform/database.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import { safeText } from '../platform/log-error.ts'
import type { Log } from '../platform/log.ts'
import { statuses } from '../smpp/status.ts'
import { closeSeries, hasSeries, refuseSeries, storePart, type NewPart } from './series.ts'
import type { SubmitAnswer } from './session.ts'
import { isTemporary, submitStatus } from './statuses.ts'
import { partId, writeRef } from './submit-ref.ts'
import { joinText, type SubmitRequest } from './submit-request.ts'

export interface SubmitContext {
  readonly send: Pick<Send, 'simple'>
  readonly limits: LimitOptions
  readonly database: Database
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly cell: string
  readonly log: Log
}

export type Submit = (account: Account, request: SubmitRequest) => Promise<SubmitAnswer>

export function createSubmit(context: SubmitContext): Submit {
  const { send, limits, database, cell, log } = context

  /** `parts`: the requests that make up the message, in order. */
  async function accept(
    account: Account,
    parts: readonly SubmitRequest[],
    reservedKey?: string,
  ): Promise<string> {
    const [first] = parts
    const { sender, recipient, reference, ttlSeconds, sendAt } = first!
    const text = joinText(parts.map(({ body }) => body))
    const registered = parts.map((part) => part.registered)
    const body = {
      from: sender.number,
      to: recipient.number,
      text,
      ref: writeRef({ registered, recipient, sender, reference }),
    }
    const { msgKey } = await send.simple(account, channelOf(recipient.number, text), body, {
      sendAt: sendAt === null ? undefined : checkSendAt(sendAt, 'another time'),
      ttlSeconds: ttlSeconds ?? undefined,
      reservedKey,
    })
    return msgKey
  }

  async function acceptPart(account: Account, request: SubmitRequest): Promise<string> {
    const { part, parts } = request.place!
    const index = await context.openBlindIndex()
    const series = index.of(nameOfSeries(request), account.id)
    // A long message counts once: with the part that comes first.
    if (!(await hasSeries(database, series))) await takeLimit(account, 'send', limits)
    const now = new Date(request.sendAt ?? clock.now())
    const added: NewPart = {
      ...{ series, accountId: account.id, part, parts, request },
      digest: index.of(`part/${JSON.stringify(request.body)}`, account.id),
      msgKey: createMsgKey(cell, now),
    }
    const { msgKey, complete } = await inTransaction(database, (transaction) => storePart(transaction, added))
    if (complete !== null) {
      try {
        await accept(account, complete, msgKey)
      } catch (error) {
        // The other parts were answered: their receipts say what became of them. A temporary refusal leaves them, so that this
        // part completes the message when it comes again.
        if (!isTemporary(submitStatus(error)))
          await inTransaction(database, (transaction) => refuseSeries(transaction, series, part))
        throw error
      }
      // Not awaited for the answer's sake: one that stays open is completed again under the same msgKey.
      closeSeries(database, series).catch(() => undefined)
    }
    return partId(msgKey, part)
  }

  return async (account, request) => {
    try {
      if (request.place !== null)
        return { status: statuses.ESME_ROK, messageId: await acceptPart(account, request) }
      const limited = takeLimit(account, 'send', limits)
      if (limited !== null) await limited
      return { status: statuses.ESME_ROK, messageId: await accept(account, [request]) }
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

/** Abroad by the number; at home a text that is too long for one SMS is an LMS. */
function channelOf(to: string, text: string): ChannelName {
  if (to.startsWith('+')) return 'international'
  return (bytesOf(normalizeText(text)) ?? 0) > maxTextBytes ? 'mms' : 'sms'
}

function nameOfSeries({ sender, recipient, place }: SubmitRequest): string {
  const { bits, reference, parts } = place!
  return ['submit', sender.number, recipient.number, bits, reference, parts].join('/')
}
