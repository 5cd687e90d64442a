/**
 * Asks the carrier for the state of a message (query_sm) and cancels it (cancel_sm), by the carrier's id. After the carrier has
 * answered that it does not know the command, it is not asked again over this link.
 */
import type { EncodableBody } from '../../smpp/codec.ts'
import { statusCode, statuses, statusName } from '../../smpp/status.ts'
import type { Answer, MessageState } from '../../smpp/window.ts'
import type { AskedSubmission, LookupResult, Receipt, RevokeResult } from '../connector.ts'
import { addressWriter } from './addresses.ts'
import { meaningOf, statOfNumber } from './message-state.ts'
import type { SmppOptions } from './options.ts'
import { readReceiptDate } from './receipt-text.ts'

type Command = 'query_sm' | 'cancel_sm'

interface Queries {
  find(asked: AskedSubmission): Promise<LookupResult>
  revoke(asked: AskedSubmission): Promise<RevokeResult>
}

/** The carrier cannot say what became of the message: it proves nothing, unlike the same state in a receipt. */
const unknownState = 7

export function createQueries(
  options: Pick<
    SmppOptions,
    | 'addressRules'
    | 'source'
    | 'destination'
    | 'countryCode'
    | 'errors'
    | 'states'
    | 'receiptUtcOffsetMinutes'
  >,
  request: <K extends Command>(kind: K, body: EncodableBody<K>) => Promise<Answer>,
): Queries {
  const toAddress = addressWriter(options)
  const readResult = resultReader(options)
  const unsupported = new Set<Command>()

  async function ask<K extends Command>(kind: K, body: EncodableBody<K>): Promise<Answer | null> {
    if (unsupported.has(kind)) return null
    const answer = await request(kind, body)
    if (answer.kind === 'response' && answer.commandStatus === statuses.ESME_RINVCMDID) unsupported.add(kind)
    return answer
  }

  function toQuery({ carrierId, from }: AskedSubmission): EncodableBody<'query_sm'> {
    const { ton, npi, value } = toAddress('source', from)
    return { messageId: carrierId ?? '', sourceTon: ton, sourceNpi: npi, source: value }
  }

  return {
    async find(asked) {
      if (asked.carrierId === null) return { kind: 'not-found' }
      const answer = await ask('query_sm', toQuery(asked))
      if (answer === null) return failed('unsupported', 'the carrier does not support query_sm')
      if (answer.kind !== 'response') return failed(answer.kind, 'no response to query_sm')
      const { commandStatus, state } = answer
      if (commandStatus === statuses.ESME_RINVMSGID) return { kind: 'not-found' }
      if (commandStatus !== statuses.ESME_ROK || state === undefined)
        return { kind: 'failed', code: statusCode(commandStatus), text: statusName(commandStatus) }
      if (state.messageState === unknownState) return { kind: 'not-found' }
      return { kind: 'found', carrierId: asked.carrierId, receipt: readResult(asked, state) }
    },
    async revoke(asked) {
      if (asked.carrierId === null) return 'failed'
      const { ton, npi, value } = toAddress('destination', asked.to)
      const answer = await ask('cancel_sm', {
        serviceType: '',
        ...toQuery(asked),
        destinationTon: ton,
        destinationNpi: npi,
        destination: value,
      })
      if (answer?.kind !== 'response') return 'failed'
      switch (answer.commandStatus) {
        case statuses.ESME_ROK:
          return 'revoked'
        case statuses.ESME_RCANCELFAIL:
        case statuses.ESME_RINVMSGID:
          return 'too-late'
        default:
          return 'failed'
      }
    },
  }
}

/** Reads the result from a state; null if it is not final. */
function resultReader({
  errors,
  states,
  receiptUtcOffsetMinutes,
}: Pick<SmppOptions, 'errors' | 'states' | 'receiptUtcOffsetMinutes'>) {
  return (asked: AskedSubmission, { messageState, errorCode, finalDate }: MessageState): Receipt | null => {
    const name = statOfNumber(messageState)
    if (name === undefined) return null
    const { result, cause } = meaningOf(states[name] ?? name)
    if (result === 'pending') return null
    // With three digits, as in the text of a receipt: one table of errors serves both.
    const err = String(errorCode).padStart(3, '0')
    return {
      carrierId: asked.carrierId,
      result,
      cause: result === 'failed' ? (errors[err] ?? cause) : cause,
      code: `${name}:${err}`,
      recipient: asked.to,
      sender: asked.from,
      at: readFinalDate(finalDate, receiptUtcOffsetMinutes),
    }
  }
}

/** Parses `YYMMDDhhmmsstnnp`, where nnp is the offset from UTC in quarters of an hour; or the times of receipts. */
function readFinalDate(text: string, utcOffsetMinutes: number): Date | null {
  const absolute = /^(\d{12})\d(\d{2})([+-])$/.exec(text)
  if (absolute === null) return readReceiptDate(text, utcOffsetMinutes)
  const [, digits, quarters, sign] = absolute
  return readReceiptDate(digits!, Number(quarters) * 15 * (sign === '+' ? 1 : -1))
}

function failed(code: string, text: string): LookupResult {
  return { kind: 'failed', code: `smpp:${code}`, text }
}
