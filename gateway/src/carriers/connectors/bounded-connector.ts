/**
 * Wraps a connector: limits everything that it reports by bounds.ts, limits its waiting time for files and lookups, and
 * converts its errors to outcomes. The registry wraps every connector.
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
} from './options/bounds.ts'
import type {
  RecordedSubmission,
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

/** Time after which the capability of a recipient counts as unknown. */
const defaultCapabilityMs = 5_000
/** Time limit for reading a file; its message is then not sent, so a hanging file store cannot delay a stop. */
const defaultFileMs = 10_000
/** Time limit for a lookup or a revocation, which then failed. */
const defaultLookupMs = 10_000
/** Minimum interval between logged errors of a connector. */
const logEveryMs = 10_000

/** `unknown`, because the submission can have left before the error. */
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
  text: 'lookup timed out: no response from the carrier',
}

/** Returns the connector that `create` returns, wrapped. */
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
    /** Event names that the kind declares. If unset, any name is counted. */
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
  const logError = (error: unknown, text: string): void => {
    const now = performance.now()
    if (now - loggedAt < logEveryMs) return
    loggedAt = now
    context.log.error({ err: error as Error }, text)
  }

  async function submit(submission: Submission): Promise<SubmitOutcome> {
    try {
      return boundOutcome(await connector.submit(submission))
    } catch (error) {
      logError(
        error,
        'the connector failed on a submission; its outcome is unknown until a receipt arrives. Report this bug in the connector',
      )
      return failed
    }
  }

  async function capability(to: string): Promise<Capability> {
    try {
      return await orAfter<Capability>(capabilityMs, 'unknown', () => connector.capability!(to))
    } catch (error) {
      logError(error, 'capability check of a recipient failed; the message is sent without it')
      return 'unknown'
    }
  }

  async function find(submission: RecordedSubmission): Promise<LookupResult> {
    try {
      return boundLookup(await orAfter(lookupMs, lookupTimedOut, () => connector.lookup!.find(submission)))
    } catch (error) {
      logError(error, 'the connector failed on a lookup; the submission is unchanged until its deadline')
      return lookupFailed
    }
  }

  async function revoke(submission: RecordedSubmission): Promise<RevokeResult> {
    try {
      return await orAfter<RevokeResult>(lookupMs, 'failed', () => connector.revoke!(submission))
    } catch (error) {
      logError(
        error,
        'the connector failed to revoke a submission; the submission is unchanged until its deadline',
      )
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

/** Resolves to the result of `work`, or to `late` after `ms`. */
async function orAfter<Result>(ms: number, late: Result, work: () => Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  try {
    const limit = delay(ms, late, { signal: ended.signal })
    return await Promise.race([work(), limit.catch(() => late)])
  } finally {
    ended.abort()
  }
}

/** Rejects after `ms`, and for every error. */
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
