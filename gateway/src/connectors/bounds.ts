/**
 * Bounds every value that a carrier sends, where it enters: no answer and no receipt of any protocol can hold more than
 * is stated here, nor a character that PostgreSQL refuses. Applied by `createConnector`, so that what follows (the
 * queues, the batches of settle, the indexes) never has to check it again. A connector that fails is bounded, too: its
 * error becomes an outcome.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { details } from '../channels/report-details.ts'
import { isMobileCarrier, type MobileCarrier } from '../channels/mobile-carriers.ts'
import { canonicalId, maxCarrierIdLength } from './carrier-id.ts'
import type {
  Capability,
  Connector,
  ConnectorContext,
  ConnectorFile,
  Receipt,
  Submission,
  SubmitOutcome,
} from './connector.ts'
import { declaredEvent } from './events.ts'
import { parseReference, toReference } from './reference.ts'

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

/** After this long without an answer it is not known whether a recipient is capable. */
const defaultCapabilityMs = 5_000
/** After this long without a file its message is not sent now: a stop must not wait for a store that hangs. */
const defaultFileMs = 10_000
/** Errors of a connector are logged this often at most. */
const logEveryMs = 10_000

/** The connector that `create` returns, with all that it reports bounded. */
export function createBounded(
  create: (context: ConnectorContext) => Connector,
  context: ConnectorContext,
  {
    capabilityMs = defaultCapabilityMs,
    fileMs = defaultFileMs,
    events,
  }: {
    readonly capabilityMs?: number
    readonly fileMs?: number
    /** The names that the kind declares; absent: any. */
    readonly events?: Readonly<Record<string, string>>
  } = {},
): Connector {
  const connector = create({
    ...context,
    onEvent: (name) => context.onEvent(events === undefined ? name : declaredEvent(events, name)),
    openFile: (key) => openWithin(fileMs, key, context.openFile),
    onReceipt: (receipt) => context.onReceipt(boundReceipt(receipt)),
    onLink: (up, reason) => context.onLink(up, boundText(reason, maxTextLength)),
  })
  let loggedAt = -Infinity
  const report = (error: unknown, text: string): void => {
    const now = performance.now()
    if (now - loggedAt < logEveryMs) return
    loggedAt = now
    context.log.error({ err: error as Error }, text)
  }

  async function submit(submission: Submission): Promise<SubmitOutcome> {
    try {
      return boundOutcome(await connector.submit(submission))
    } catch (error) {
      report(
        error,
        'the connector failed on a submission; its outcome is unknown until a receipt arrives. This is an error in the connector',
      )
      return failed
    }
  }

  async function capability(to: string): Promise<Capability> {
    const ended = new AbortController()
    try {
      const limit = delay<Capability>(capabilityMs, 'unknown', { signal: ended.signal })
      return await Promise.race([connector.capability!(to), limit.catch(() => 'unknown' as const)])
    } catch (error) {
      report(error, 'cannot look up whether recipients are capable; messages are sent without it')
      return 'unknown'
    } finally {
      ended.abort()
    }
  }

  return {
    repeatable: connector.repeatable === true,
    window: connector.window,
    get linked() {
      return connector.linked
    },
    start: () => connector.start(),
    submit,
    ...(connector.carrierIdFor === undefined
      ? {}
      : { carrierIdFor: (reference) => boundId(connector.carrierIdFor!(reference)) }),
    ...(connector.capability === undefined ? {} : { capability }),
    stop: (limitMs) => connector.stop(limitMs),
  }
}

/** Rejects after the limit, and for every error. */
async function openWithin(
  ms: number,
  key: string,
  openFile: ConnectorContext['openFile'],
): Promise<ConnectorFile | null> {
  const ended = new AbortController()
  const late = delay(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`the file was not read in ${ms} ms`)
  })
  try {
    return await Promise.race([openFile(key), late])
  } finally {
    late.catch(() => undefined)
    ended.abort()
  }
}

/** The submission may have left before the error. */
const failed: SubmitOutcome = {
  kind: 'unknown',
  code: 'connector-error',
  text: 'the connector failed on the submission',
}

export function boundOutcome(outcome: SubmitOutcome): SubmitOutcome {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', carrierId: boundId(outcome.carrierId), ...boundCarrier(outcome) }
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
    sender: boundAddress(sender),
    at: at !== null && at.getTime() >= earliestMs && at.getTime() < latestMs ? at : null,
  }
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
function boundId(id: string): string {
  return id.length > maxCarrierIdLength ? canonicalId(id) : withoutRefused(id)
}

export function boundAddress(address: string): string {
  return withoutRefused(address.length > maxAddressLength ? address.slice(-maxAddressLength) : address)
}

function boundText(text: string, maxLength: number): string {
  return withoutRefused(text.length > maxLength ? text.slice(0, maxLength) : text)
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function withoutRefused(text: string): string {
  const wellFormed = text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', ' ') : wellFormed
}
