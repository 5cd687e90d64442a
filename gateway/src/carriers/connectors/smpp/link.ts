/**
 * Keeps one session up: connects, binds, and reconnects with exponential backoff when the session ends. After a refused
 * system id or password the pause is long, because carriers lock accounts after repeated failures. During the first minute
 * a refusal without a reason is retried like any other failure.
 */
import { connect as connectTcp, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { backoffMs } from '../../../platform/time/backoff.ts'
import { CarrierAddresses } from '../options/carrier-addresses.ts'
import type { PendingDeliveries } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import { isAuthenticationFailure, isBindFailure } from './outcome.ts'
import type { BindKind } from '../../smpp/pdu.ts'
import type { SessionEnd } from './session.ts'
import { Session } from './session.ts'

export interface LinkEvents {
  /** Called when the session is bound, and when it begins to unbind. */
  onChange(reason: string, bound: boolean): void
  /** `refused`: the carrier refused the system id or password, which an operator must correct. */
  onClosed(end: SessionEnd, pauseMs: number, refused: boolean): void
  onStrayResponse(): void
  onMalformed(reason: string): void
}

/** A session that was bound this long resets the failure count. */
const stableMs = 10_000
/** Time after the start during which a bind refused without a reason can be due to the link of the previous process. */
const takeOverMs = 60_000

export class SmppLink {
  readonly role: BindKind
  readonly #options: SmppOptions
  readonly #pending: PendingDeliveries
  readonly #events: LinkEvents
  readonly #addresses = new CarrierAddresses()
  #session: Session | null = null
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #boundAt = 0
  #firstStartAt: number | undefined
  #stopped = false

  constructor(role: BindKind, options: SmppOptions, pending: PendingDeliveries, events: LinkEvents) {
    this.role = role
    this.#options = options
    this.#pending = pending
    this.#events = events
  }

  get session(): Session | null {
    return this.#session
  }

  /** Whether the link accepts submissions, even if the window is full. */
  get up(): boolean {
    return this.#session?.bound === true && this.role !== 'bind_receiver'
  }

  start(): void {
    if (this.#stopped) return
    this.#boundAt = 0
    this.#firstStartAt ??= performance.now()
    this.#session = new Session(
      this.role,
      openSocket(this.#options, this.#addresses),
      this.#options,
      this.#pending,
      {
        onChange: (reason) => {
          const bound = this.#session?.bound === true
          if (bound) this.#boundAt = performance.now()
          this.#events.onChange(reason, bound)
        },
        onClosed: (end) => this.#closed(end),
        onStrayResponse: () => this.#events.onStrayResponse(),
        onMalformed: (reason) => this.#events.onMalformed(reason),
      },
    )
  }

  async stop(reason: string, drainMs: number): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#session?.unbind(reason, drainMs)
  }

  #closed(end: SessionEnd): void {
    if (this.#boundAt > 0 && performance.now() - this.#boundAt >= stableMs) this.#failures = 0
    const refused = this.#isRefused(end)
    const pauseMs = Math.round(this.#pauseMs(refused))
    this.#failures += 1
    if (!this.#stopped) this.#timer = setTimeout(() => this.start(), pauseMs)
    this.#events.onClosed(end, pauseMs, refused)
  }

  #isRefused({ bindStatus }: SessionEnd): boolean {
    const elapsedMs = performance.now() - this.#firstStartAt!
    return isAuthenticationFailure(bindStatus) && !(isBindFailure(bindStatus) && elapsedMs < takeOverMs)
  }

  #pauseMs(refused: boolean): number {
    const { loginPauseMs, reconnectMinMs, reconnectMaxMs } = this.#options
    return refused
      ? backoffMs(0, { firstMs: loginPauseMs, maxMs: loginPauseMs })
      : backoffMs(this.#failures, { firstMs: reconnectMinMs, maxMs: reconnectMaxMs })
  }
}

function openSocket(options: SmppOptions, addresses: CarrierAddresses): Socket {
  const { host, port, tls } = options
  try {
    addresses.requireAllowed(host)
  } catch (error) {
    return new Socket().destroy(error as Error)
  }
  const { lookup } = addresses
  if (tls === undefined) return connectTcp({ host, port, lookup })
  const { serverName, verify, ca, cert, key } = tls
  return connectTls({
    host,
    port,
    lookup,
    rejectUnauthorized: verify,
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  })
}
