/**
 * The SMPP connector for versions 3.4 and 5.0: several sessions to one carrier behind the neutral interface. It uses the
 * least loaded session, respects the window of each, and converts responses and receipts to neutral outcomes.
 *
 * Never repeats a submission and never logs message text, a password or more than the last digits of a number.
 */
import type {
  RecordedSubmission,
  Connector,
  ConnectorContext,
  Lookup,
  RevokeResult,
  Submission,
  SubmitOutcome,
} from '../connector.ts'
import { deliveryHandler } from './delivery.ts'
import { PendingDeliveries } from './pending-deliveries.ts'
import type { LinkEvents } from './link.ts'
import { SmppLink } from './link.ts'
import { LinkLog } from './link-log.ts'
import type { SmppOptions } from './options.ts'
import { outcomeReader, needsRebind } from './outcome.ts'
import { createQueries } from './queries.ts'
import type { EncodableBody } from '../../smpp/codec.ts'
import type { SubmissionResult } from '../../smpp/window.ts'
import type { BindKind } from '../../smpp/pdu.ts'
import { PduError } from '../../smpp/pdu.ts'
import { statusCode, statusName } from '../../smpp/status.ts'
import type { Session, SessionEnd } from './session.ts'
import { submitBodyWriter, type SubmitBodyWriter } from './submission.ts'
import { clock } from '../../../platform/time/clock.ts'

type Settle = (outcome: SubmitOutcome) => void

/** A query or a cancellation that waits for a session. */
interface PendingRequest {
  readonly send: (session: Session) => void
  readonly abandon: (reason: string) => void
}

/** Short, because a carrier that lost the bind has most likely lost the responses as well. */
const rebindDrainMs = 1000

const expired: SubmitOutcome = {
  kind: 'refused',
  cause: 'timeout',
  code: 'smpp:expired',
  text: 'the message expired before it was submitted',
}

export function createSmppConnector(options: SmppOptions, context: ConnectorContext): Connector {
  return new Sessions(options, context)
}

class Sessions implements Connector {
  readonly window: number
  readonly lookup?: Lookup
  readonly revoke?: (submission: RecordedSubmission) => Promise<RevokeResult>
  readonly #options: SmppOptions
  readonly #context: ConnectorContext
  readonly #links: readonly SmppLink[]
  readonly #log: LinkLog
  readonly #readOutcome: ReturnType<typeof outcomeReader>
  readonly #toBody: SubmitBodyWriter
  /** FIFO queue used while all windows are full; never longer than the sum of the windows. */
  readonly #waiting: { readonly submission: Submission; readonly settle: Settle }[] = []
  /** Limited by the number of concurrent lookups and revocations of dispatch. */
  readonly #requests: PendingRequest[] = []
  #started = false
  #stopped = false
  #linked = false

  constructor(options: SmppOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.#log = new LinkLog(context.log)
    this.#readOutcome = outcomeReader(options)
    this.#toBody = submitBodyWriter(options)
    this.window = options.sessions * options.window
    const roles: BindKind[] =
      options.bind === 'pair' ? ['bind_transmitter', 'bind_receiver'] : ['bind_transceiver']
    if (options.lookup) {
      const queries = createQueries(options, (kind, body) => this.#request(kind, body))
      this.lookup = {
        lostResponse: false,
        missingReceipt: true,
        find: (submission) => queries.find(submission),
      }
      this.revoke = (submission) => queries.revoke(submission)
    }
    const handle = deliveryHandler(options, context)
    this.#links = Array.from({ length: options.sessions }, () => roles)
      .flat()
      .map((role) => new SmppLink(role, options, this.#pendingDeliveries(handle), this.#events(role)))
  }

  get linked(): boolean {
    return this.#linked
  }

  start(): void {
    if (this.#started) return
    this.#started = true
    for (const link of this.#links) link.start()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return new Promise((settle) => {
      if (!this.#linked) return settle(unreachable('no-session', 'no session is bound'))
      const session = this.#leastLoaded()
      if (session !== null) return this.#submitOn(session, submission, settle)
      if (this.#waiting.length >= this.window)
        return settle(unreachable('window-full', 'all windows are full'))
      this.#waiting.push({ submission, settle })
    })
  }

  async stop(limitMs = Infinity): Promise<void> {
    this.#stopped = true
    this.#changed('stopped')
    const drainMs = Math.min(limitMs, this.#options.stopTimeoutMs)
    await Promise.all(this.#links.map((link) => link.stop('stopped', drainMs)))
  }

  #submitOn(session: Session, submission: Submission, settle: Settle): void {
    // The submission may have waited for a session.
    if (clock.hasPassed(submission.validUntil)) return settle(expired)
    const body = this.#toBody(submission, clock.timeBefore(submission.validUntil))
    if ('kind' in body) return settle(body)
    try {
      session.request('submit_sm', body, (answer) => {
        settle(this.#readOutcome(answer))
        if (needsRebind(answer))
          void session.unbind('the carrier reports that the session is not bound', rebindDrainMs)
        this.#admitWaiting()
      })
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      settle({ kind: 'refused', cause: 'refused', code: 'smpp:unencodable', text: error.message })
    }
  }

  #request<K extends 'query_sm' | 'cancel_sm'>(kind: K, body: EncodableBody<K>): Promise<SubmissionResult> {
    return new Promise((settle) => {
      const abandon = (reason: string): void => settle({ kind: 'lost', written: false, reason })
      if (!this.#linked) return abandon('no session is bound')
      this.#requests.push({
        send: (session) => {
          try {
            session.request(kind, body, (answer) => {
              settle(answer)
              this.#admitWaiting()
            })
          } catch (error) {
            if (!(error instanceof PduError)) throw error
            abandon(error.message)
          }
        },
        abandon,
      })
      this.#admitWaiting()
    })
  }

  #admitWaiting(): void {
    while (this.#requests.length > 0) {
      const session = this.#leastLoaded()
      if (session === null) return
      this.#requests.shift()!.send(session)
    }
    while (this.#waiting.length > 0) {
      const session = this.#leastLoaded()
      if (session === null) return
      const { submission, settle } = this.#waiting.shift()!
      this.#submitOn(session, submission, settle)
    }
  }

  #leastLoaded(): Session | null {
    let best: Session | null = null
    for (const { session } of this.#links) {
      if (session !== null && session.free > (best?.free ?? 0)) best = session
    }
    return best
  }

  #changed(reason: string): void {
    const linked = !this.#stopped && this.#links.some((link) => link.up)
    if (linked !== this.#linked) {
      this.#linked = linked
      this.#context.onLink(linked, reason)
    }
    if (linked) return this.#admitWaiting()
    for (const { settle } of this.#waiting.splice(0)) settle(unreachable('no-session', reason))
    for (const { abandon } of this.#requests.splice(0)) abandon(reason)
  }

  #events(role: BindKind): LinkEvents {
    return {
      onChange: (reason, bound) => {
        if (bound) this.#log.bound(role)
        this.#changed(reason)
      },
      onClosed: (end, pauseMs, refused) => {
        if (!this.#stopped) this.#log.closed(role, end, pauseMs, refused)
        if (!this.#stopped && refused) this.#context.onEvent('account-refused')
        if (!this.#stopped) this.#context.onLinkFailure?.(describeEnd(end, refused))
        this.#changed(end.reason)
      },
      // The response arrived after the timeout of its submission, or matches none.
      onStrayResponse: () => this.#context.onEvent('stray-response'),
      onMalformed: (reason) => {
        this.#context.onEvent('malformed-pdu')
        this.#log.malformed(reason)
      },
    }
  }

  #pendingDeliveries(handle: ReturnType<typeof deliveryHandler>): PendingDeliveries {
    const { maxPendingReceipts, receiptStallMs } = this.#options
    return new PendingDeliveries(maxPendingReceipts, receiptStallMs, handle, () => {
      this.#context.onEvent('receipts-deferred')
      this.#context.log.warn(
        { maxPendingReceipts },
        'receipts are stored too slowly; the carrier is asked to deliver them again later',
      )
    })
  }
}

/** Describes the end of a session for operators, with what to correct if the carrier states it. */
function describeEnd({ reason, bindStatus }: SessionEnd, refused: boolean): string {
  if (bindStatus === null) return reason
  const status = `${statusName(bindStatus)} (${statusCode(bindStatus)})`
  return refused
    ? `the carrier refuses the system id or the password: ${status}`
    : `the carrier refuses the bind: ${status}`
}

function unreachable(code: string, text: string): SubmitOutcome {
  return { kind: 'unreachable', code: `smpp:${code}`, text }
}
