/**
 * Bounds every value that a carrier sends, where it enters: no answer and no receipt of any protocol can hold more than
 * is stated here, nor a character that PostgreSQL refuses. Applied to every connector by bounded-connector.ts, and to inbound
 * requests by the registry, so that what follows (the queues, the batches of settle, the indexes) never has to check it
 * again. Pure.
 */
import { details } from '../channels/report-details.ts'
import { isMobileCarrier, type MobileCarrier } from '../channels/mobile-carriers.ts'
import { canonicalId, maxCarrierIdLength } from './carrier-id.ts'
import type { LookupResult, Receipt, SubmitOutcome } from './connector.ts'
import { parseReference, toReference } from './reference.ts'
import { maxReplyPart, maxReplyText, type Reply } from './reply.ts'

/** `UNDELIV:001` has 11 characters. */
export const maxCodeLength = 64
/** Texts are for the log. */
export const maxTextLength = 256
/** A phone number has 15 digits; SMPP allows 20 characters. Of a longer address its end is kept, which is compared. */
export const maxAddressLength = 64
export const maxRetryAfterMs = 3_600_000

/** Times outside of these years are errors of the carrier's clock or format. */
const earliestMs = Date.UTC(2000, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)

export function boundOutcome(outcome: SubmitOutcome): SubmitOutcome {
  switch (outcome.kind) {
    case 'accepted': {
      const { kind } = outcome
      const bounded = { kind, carrierId: boundId(outcome.carrierId), ...boundCarrier(outcome) }
      return outcome.congested === true ? { ...bounded, congested: true } : bounded
    }
    case 'throttled': {
      const { retryAfterMs } = outcome
      const pauseMs = Number.isFinite(retryAfterMs) ? Math.min(Math.max(0, retryAfterMs), maxRetryAfterMs) : 0
      return { kind: 'throttled', code: boundText(outcome.code, maxCodeLength), retryAfterMs: pauseMs }
    }
    case 'refused': {
      const { cause, code, text } = outcome
      return {
        ...{ kind: 'refused', cause },
        ...boundReportCode(outcome),
        ...boundPortedTo(outcome),
        code: boundText(code, maxCodeLength),
        text: boundText(text, maxTextLength),
      }
    }
    default:
      return {
        ...outcome,
        code: boundText(outcome.code, maxCodeLength),
        text: boundText(outcome.text, maxTextLength),
      }
  }
}

export function boundReceipt(receipt: Receipt): Receipt {
  const { carrierId, reference, result, cause, code, recipient, sender, at, userType } = receipt
  const { recipientMustMatch } = receipt
  const ours = reference === undefined ? null : parseReference(reference)
  return {
    ...(ours === null ? {} : { reference: toReference(ours) }),
    ...{ result, cause },
    ...boundReportCode(receipt),
    ...(result === 'failed' ? boundPortedTo(receipt) : {}),
    ...boundCarrier(receipt),
    ...(userType === 'F' || userType === 'N' ? { userType } : {}),
    carrierId: carrierId === null ? null : boundId(carrierId),
    code: boundText(code, maxCodeLength),
    recipient: boundAddress(recipient),
    ...(recipientMustMatch === undefined ? {} : { recipientMustMatch }),
    sender: boundAddress(sender),
    at: at !== null && isTime(at) ? at : null,
  }
}

export function boundLookup(result: LookupResult): LookupResult {
  switch (result.kind) {
    case 'found': {
      const { kind, carrierId, receipt } = result
      return {
        kind,
        carrierId: carrierId === null ? null : boundId(carrierId),
        receipt: receipt === null ? null : boundReceipt(receipt),
      }
    }
    case 'failed':
      return {
        kind: 'failed',
        code: boundText(result.code, maxCodeLength),
        text: boundText(result.text, maxTextLength),
      }
    case 'not-found':
      return { kind: 'not-found' }
  }
}

/** A reply may have been sent to several of our numbers. */
const maxReplyAddresses = 10
const maxReplyId = 256

/** The text is stored within JSON, which keeps every character: half of a pair belongs to the next part. */
export function boundReply(reply: Reply): Reply {
  const { from, to, text, choice, id, at, part } = reply
  return {
    from: boundAddress(from),
    to: to
      .slice(0, maxReplyAddresses)
      .map(({ kind, value }) => ({ kind, value: boundText(value, maxAddressLength) })),
    text: text === null ? null : text.slice(0, maxReplyText),
    ...(choice === undefined ? {} : { choice }),
    ...(id === undefined || id === '' ? {} : { id: boundText(id, maxReplyId) }),
    ...(at !== undefined && isTime(at) ? { at } : {}),
    ...(part === undefined || (text?.length ?? 0) > maxReplyPart ? {} : { part }),
  }
}

function isTime(at: Date): boolean {
  return at.getTime() >= earliestMs && at.getTime() < latestMs
}

/** Only codes that say more than a cause, which are all that a job needs to carry. */
function boundReportCode({ reportCode }: { readonly reportCode?: string }): { readonly reportCode?: string } {
  return reportCode !== undefined && details.has(reportCode) ? { reportCode } : {}
}

/** Only codes that reports know. */
function boundCarrier({ carrier }: { readonly carrier?: MobileCarrier }): {
  readonly carrier?: MobileCarrier
} {
  return carrier !== undefined && isMobileCarrier(carrier) ? { carrier } : {}
}

function boundPortedTo({ portedTo }: { readonly portedTo?: MobileCarrier }): {
  readonly portedTo?: MobileCarrier
} {
  return portedTo !== undefined && isMobileCarrier(portedTo) ? { portedTo } : {}
}

/** An id of usual length stays as the carrier spells it. */
export function boundId(id: string): string {
  return id.length > maxCarrierIdLength ? canonicalId(id) : withoutRefused(id)
}

export function boundAddress(address: string): string {
  return withoutRefused(address.length > maxAddressLength ? address.slice(-maxAddressLength) : address)
}

export function boundText(text: string, maxLength: number): string {
  return withoutRefused(text.length > maxLength ? text.slice(0, maxLength) : text)
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function withoutRefused(text: string): string {
  const wellFormed = text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', ' ') : wellFormed
}
