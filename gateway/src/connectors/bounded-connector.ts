/**
 * A connector with all that it reports within bounds.ts, and the time that it may wait for files and lookups limited. One that
 * fails is bounded, too: its error becomes an outcome. Every connector is created like this, by the registry.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  boundId,
  boundLookup,
  boundOutcome,
  boundReceipt,
  boundReply,
  boundText,
  maxTextLength,
} from './bounds.ts'
import type {
  AskedSubmission,
  Capability,
  Connector,
  ConnectorContext,
  ConnectorFile,
  LookupResult,
  RevokeResult,
  Submission,
  SubmitOutcome,
} from './connector.ts'
import { declaredEvent } from './events.ts'

/** After this long without an answer it is not known whether a recipient is capable. */
const defaultCapabilityMs = 5_000
/** After this long without a file its message is not sent now: a stop must not wait for a store that hangs. */
const defaultFileMs = 10_000
/** A lookup or a revocation without a result after this long has failed. */
const defaultLookupMs = 10_000
/** Errors of a connector are logged this often at most. */
const logEveryMs = 10_000

/** The submission may have left before the error. */
const failed: SubmitOutcome = {
  kind: 'unknown',
  code: 'connector-error',
  text: 'the connector failed on the submission',
}

const lookupFailed: LookupResult = {
  kind: 'failed',
  code: 'connector-error',
  text: 'the connector failed on the lookup',
}
const lookupTimedOut: LookupResult = {
  kind: 'failed',
  code: 'timeout',
  text: 'the carrier did not answer the lookup in time',
}

/** The connector that `create` returns, with all that it reports bounded. */
export function createBounded(
  create: (context: ConnectorContext) => Connector,
  context: ConnectorContext,
  {
    capabilityMs = defaultCapabilityMs,
    fileMs = defaultFileMs,
    lookupMs = defaultLookupMs,
    events,
  }: {
    readonly capabilityMs?: number
    readonly fileMs?: number
    readonly lookupMs?: number
    /** The names that the kind declares; absent: any. */
    readonly events?: Readonly<Record<string, string>>
  } = {},
): Connector {
  const connector = create({
    ...context,
    onEvent: (name) => context.onEvent(events === undefined ? name : declaredEvent(events, name)),
    openFile: (key) => openWithin(fileMs, key, context.openFile),
    onReceipt: (receipt) => context.onReceipt(boundReceipt(receipt)),
    ...(context.onReply === undefined ? {} : { onReply: (reply) => context.onReply!(boundReply(reply)) }),
    onLink: (up, reason) => context.onLink(up, boundText(reason, maxTextLength)),
    onLinkFailure: (reason) => context.onLinkFailure?.(boundText(reason, maxTextLength)),
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
    try {
      return await orAfter<Capability>(capabilityMs, 'unknown', () => connector.capability!(to))
    } catch (error) {
      report(error, 'cannot look up whether recipients are capable; messages are sent without it')
      return 'unknown'
    }
  }

  async function find(asked: AskedSubmission): Promise<LookupResult> {
    try {
      return boundLookup(await orAfter(lookupMs, lookupTimedOut, () => connector.lookup!.find(asked)))
    } catch (error) {
      report(error, 'the connector failed on a lookup; the submission stays as it is until its deadline')
      return lookupFailed
    }
  }

  async function revoke(asked: AskedSubmission): Promise<RevokeResult> {
    try {
      return await orAfter<RevokeResult>(lookupMs, 'failed', () => connector.revoke!(asked))
    } catch (error) {
      report(error, 'the connector failed to revoke a submission; it stays as it is until its deadline')
      return 'failed'
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
    ...(connector.lookup === undefined
      ? {}
      : {
          lookup: {
            lostResponse: connector.lookup.lostResponse,
            missingReceipt: connector.lookup.missingReceipt,
            find,
          },
        }),
    ...(connector.revoke === undefined ? {} : { revoke }),
    stop: (limitMs) => connector.stop(limitMs),
  }
}

/** Resolves to `late` after the limit. */
async function orAfter<Result>(ms: number, late: Result, work: () => Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  try {
    const limit = delay(ms, late, { signal: ended.signal })
    return await Promise.race([work(), limit.catch(() => late)])
  } finally {
    ended.abort()
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
