/**
 * Queries the state of a message (query_sm) and cancels it (cancel_sm) by the carrier's id. A command that the carrier does
 * not support is not sent again over this link.
 */
import type { EncodableBody } from '../../smpp/codec.ts'
import { statusCode, statuses, statusName } from '../../smpp/status.ts'
import type { SubmissionResult, SmppMessageState } from '../../smpp/window.ts'
import type { RecordedSubmission, LookupResult, Receipt, RevokeResult } from '../connector.ts'
import { addressWriter } from './addresses.ts'
import { getStateMeaning, findStatByNumber } from './message-state.ts'
import type { SmppOptions } from './options.ts'
import { readReceiptDate } from './receipt-text.ts'

type Command = 'query_sm' | 'cancel_sm'

interface Queries {
  find(submission: RecordedSubmission): Promise<LookupResult>
  revoke(submission: RecordedSubmission): Promise<RevokeResult>
}

/** The carrier does not know the result. Unlike in a receipt, this proves nothing and counts as not found. */
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
  request: <K extends Command>(kind: K, body: EncodableBody<K>) => Promise<SubmissionResult>,
): Queries {
  const toAddress = addressWriter(options)
  const readResult = resultReader(options)
  const unsupported = new Set<Command>()

  async function send<K extends Command>(kind: K, body: EncodableBody<K>): Promise<SubmissionResult | null> {
    if (unsupported.has(kind)) return null
    const answer = await request(kind, body)
    if (answer.kind === 'response' && answer.commandStatus === statuses.ESME_RINVCMDID) unsupported.add(kind)
    return answer
  }

  function toQuery({ carrierId, from }: RecordedSubmission): EncodableBody<'query_sm'> {
    const { ton, npi, value } = toAddress('source', from)
    return { messageId: carrierId ?? '', sourceTon: ton, sourceNpi: npi, source: value }
  }

  return {
    async find(submission) {
      if (submission.carrierId === null) return { kind: 'not-found' }
      const answer = await send('query_sm', toQuery(submission))
      if (answer === null) return failed('unsupported', 'the carrier does not support query_sm')
      if (answer.kind !== 'response') return failed(answer.kind, 'no response to query_sm')
      const { commandStatus, state } = answer
      if (commandStatus === statuses.ESME_RINVMSGID) return { kind: 'not-found' }
      if (commandStatus !== statuses.ESME_ROK || state === undefined)
        return { kind: 'failed', code: statusCode(commandStatus), text: statusName(commandStatus) }
      if (state.messageState === unknownState) return { kind: 'not-found' }
      return { kind: 'found', carrierId: submission.carrierId, receipt: readResult(submission, state) }
    },
    async revoke(submission) {
      if (submission.carrierId === null) return 'failed'
      const { ton, npi, value } = toAddress('destination', submission.to)
      const answer = await send('cancel_sm', {
        serviceType: '',
        ...toQuery(submission),
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

/** Returns the reader of results; it returns null for a state that is not final. */
function resultReader({
  errors,
  states,
  receiptUtcOffsetMinutes,
}: Pick<SmppOptions, 'errors' | 'states' | 'receiptUtcOffsetMinutes'>) {
  return (
    submission: RecordedSubmission,
    { messageState, errorCode, finalDate }: SmppMessageState,
  ): Receipt | null => {
    const name = findStatByNumber(messageState)
    if (name === undefined) return null
    const { result, cause } = getStateMeaning(states[name] ?? name)
    if (result === 'pending') return null
    // Three digits, as in the text of a receipt, so that one table of errors serves both.
    const err = String(errorCode).padStart(3, '0')
    return {
      carrierId: submission.carrierId,
      result,
      cause: result === 'failed' ? (errors[err] ?? cause) : cause,
      code: `${name}:${err}`,
      recipient: submission.to,
      sender: submission.from,
      at: readFinalDate(finalDate, receiptUtcOffsetMinutes),
    }
  }
}

/** Parses `YYMMDDhhmmsstnnp`, where nnp is the UTC offset in quarters of an hour, or a time in the format of receipts. */
function readFinalDate(text: string, utcOffsetMinutes: number): Date | null {
  const absolute = /^(\d{12})\d(\d{2})([+-])$/.exec(text)
  if (absolute === null) return readReceiptDate(text, utcOffsetMinutes)
  const [, digits, quarters, sign] = absolute
  return readReceiptDate(digits!, Number(quarters) * 15 * (sign === '+' ? 1 : -1))
}

function failed(code: string, text: string): LookupResult {
  return { kind: 'failed', code: `smpp:${code}`, text }
}
