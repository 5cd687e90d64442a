/**
 * Limits every value that a carrier sends. No response or receipt can exceed these limits or contain a character that
 * PostgreSQL refuses, so the queues, the batches of settle and the indexes need no further checks. Applied to every
 * connector by bounded-connector.ts, and to inbound requests by the registry.
 */
import { reportDetails } from '../../../channels/report-details.ts'
import { isMobileCarrier, type MobileCarrier } from '../../../channels/mobile-carriers.ts'
import { canonicalId, maxCarrierIdLength } from '../carrier-id.ts'
import type { LookupResult, Receipt, SubmitOutcome } from '../connector.ts'
import { parseReference, toReference } from '../reference.ts'
import { maxReplyPart, maxReplyText, type Reply } from '../reply.ts'

/** Maximum length of a carrier's result code; `UNDELIV:001` has 11 characters. */
export const maxCodeLength = 64
/** Maximum length of a carrier's error text and of the reason of a link failure, which only operators see. */
export const maxTextLength = 256
/**
 * Maximum length of an address. A phone number has at most 15 digits; SMPP allows 20 characters. A longer address keeps its
 * end, which matching compares.
 */
export const maxAddressLength = 64
export const maxRetryAfterMs = 3_600_000

/** Times outside these years are errors of the carrier's clock or format. */
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
        kind: 'refused',
        cause,
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
    result,
    cause,
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

/** Does not repair surrogate pairs in the text: it is stored as JSON, and the other half can be in the next part. */
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

/** Keeps only codes that are more specific than a cause. */
function boundReportCode({ reportCode }: { readonly reportCode?: string }): { readonly reportCode?: string } {
  return reportCode !== undefined && reportDetails.has(reportCode) ? { reportCode } : {}
}

/** Keeps only the carrier codes of reports. */
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

/** Canonicalizes only ids that are too long; others keep the carrier's spelling. */
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
