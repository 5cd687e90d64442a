/**
 * Sends one reading a second to everybody who watches. It is read and written as text once, however many watch, and not at all while
 * nobody does. Viewers are bounded in all and for each operator. A viewer whose key or operator no longer works is disconnected within
 * a few seconds; while PostgreSQL cannot say whether it works, within half a minute. Used by the server of the admin API.
 */
import { clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { OperationError } from '../../acts/errors.ts'
import { toOperationError } from '../problem.ts'
import { formatEvent, type Viewer } from './viewer.ts'

export interface LiveSource {
  /** Name of the event. */
  readonly event: string
  readonly read: () => Promise<unknown>
}

export interface LiveTimes {
  readonly everyMs: number
  readonly checkEveryMs: number
  /** A key that cannot be looked up for this long ends the stream. */
  readonly maxUncheckedMs: number
  readonly keepAliveMs: number
  /** A reader that takes nothing for this long is disconnected. */
  readonly maxBlockedMs: number
}

export const liveTimes: LiveTimes = {
  ...{ everyMs: 1_000, checkEveryMs: 3_000, maxUncheckedMs: 30_000 },
  ...{ keepAliveMs: 10_000, maxBlockedMs: 10_000 },
}

const maxViewers = 64
/** Several tabs and a screen on the wall. */
const maxPerOperator = 8
/** A new viewer is shown the last reading when it is not older. */
const maxAgeMs = 2_000

export class LiveFeed {
  readonly #source: LiveSource
  readonly #log: Log
  readonly #times: LiveTimes
  readonly #viewers = new Set<Viewer>()
  #last: { readonly text: string; readonly at: number } | undefined
  #count = 0
  #loops: readonly Periodic[] = []
  #stopped = false

  constructor(source: LiveSource, log: Log, times: LiveTimes = liveTimes) {
    this.#source = source
    this.#log = log
    this.#times = times
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Throws when there are too many: called before the stream is begun. */
  requirePlace(operator: string): void {
    if (this.#stopped)
      throw new OperationError('unavailable', 'the process is stopping; connect again', {
        retryAfterSeconds: 2,
      })
    const own = [...this.#viewers].filter((viewer) => viewer.operator === operator).length
    if (own >= maxPerOperator)
      throw new OperationError(
        'too-many-requests',
        `${operator} has ${maxPerOperator} streams open, which is the most; close one of them`,
        { retryAfterSeconds: 5 },
      )
    if (this.#viewers.size >= maxViewers)
      throw new OperationError(
        'too-many-requests',
        `${maxViewers} streams are open, which is the most; repeat the request later, or ask GET /admin/v1/now`,
        { retryAfterSeconds: 5 },
      )
  }

  add(viewer: Viewer): void {
    this.#viewers.add(viewer)
    viewer.onClose(() => this.#remove(viewer))
    if (this.#last !== undefined && performance.now() - this.#last.at < maxAgeMs)
      viewer.send(this.#last.text, this.#times.maxBlockedMs)
    if (this.#viewers.size > 0 && this.#loops.length === 0) this.#start()
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const viewer of this.#viewers) viewer.end('stopping', 'the process is stopping; connect again')
    this.#viewers.clear()
    await this.#pause()
  }

  #start(): void {
    const { everyMs, checkEveryMs } = this.#times
    this.#loops = [
      every(everyMs, 'reading what the console shows', this.#log, () => this.#read()),
      every(checkEveryMs, 'checking who watches', this.#log, () => this.#check()),
    ]
  }

  async #pause(): Promise<void> {
    const loops = this.#loops
    this.#loops = []
    await Promise.all(loops.map((loop) => loop.stop()))
  }

  #remove(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) void this.#pause()
  }

  async #read(): Promise<void> {
    const { event } = this.#source
    try {
      const text = formatEvent(event, await this.#source.read(), this.#nextId())
      this.#last = { text, at: performance.now() }
      this.#send(text)
    } catch (error) {
      const problem = toOperationError(error as Error)
      const code = problem?.code ?? 'internal'
      const detail = problem?.message ?? 'internal error; see the log of the process'
      this.#send(formatEvent('unavailable', { code, detail }))
      if (problem === null) throw error
    }
  }

  /** Larger than any before, also of a process that ran before this one. */
  #nextId(): string {
    this.#count = Math.max(this.#count + 1, Math.floor(clock.now()))
    return String(this.#count)
  }

  #send(text: string): void {
    for (const viewer of this.#viewers) viewer.send(text, this.#times.maxBlockedMs)
  }

  async #check(): Promise<void> {
    const { keepAliveMs, maxBlockedMs } = this.#times
    for (const viewer of [...this.#viewers]) {
      viewer.keepAlive(keepAliveMs, maxBlockedMs)
      const refused = await this.#whyRefused(viewer)
      if (refused === null) continue
      this.#remove(viewer)
      viewer.end(refused.code, refused.message)
    }
  }

  async #whyRefused(viewer: Viewer): Promise<OperationError | null> {
    try {
      await viewer.check()
      viewer.checkedAt = performance.now()
      return null
    } catch (error) {
      const problem =
        toOperationError(error as Error) ?? new OperationError('internal', 'the operator cannot be checked')
      const isUnknown = problem.code === 'unavailable' || problem.code === 'internal'
      const uncheckedMs = performance.now() - viewer.checkedAt
      return isUnknown && uncheckedMs < this.#times.maxUncheckedMs ? null : problem
    }
  }
}
