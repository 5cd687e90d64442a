/**
 * Sends one reading per second to all viewers. The reading is taken and serialized once for all of them, and
 * not at all without viewers. The number of viewers is limited, in total and per operator. A viewer whose key or
 * session has ended, or whose operator was disabled, is disconnected within a few seconds; while PostgreSQL is
 * unavailable, within half a minute.
 */
import { clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { OperationError } from '../../operations/errors.ts'
import { toOperationError } from '../../operations/problem.ts'
import { formatEvent, type Viewer } from './viewer.ts'

export interface LiveSource {
  readonly event: string
  readonly read: () => Promise<unknown>
}

export interface LiveTimes {
  readonly everyMs: number
  readonly checkEveryMs: number
  /** Ends a stream whose viewer could not be checked for this long. */
  readonly maxUncheckedMs: number
  readonly keepAliveMs: number
  /** Disconnects a reader that consumes nothing for this long. */
  readonly maxBlockedMs: number
}

export const liveTimes: LiveTimes = {
  everyMs: 1_000,
  checkEveryMs: 3_000,
  maxUncheckedMs: 30_000,
  keepAliveMs: 10_000,
  maxBlockedMs: 10_000,
}

const maxViewers = 64
/** Allows several tabs and a wall screen. */
const maxPerOperator = 8
/** New viewers get the last reading if it is not older than this. */
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

  /** Throws if there are too many viewers. Call it before the stream begins. */
  requirePlace(operator: string): void {
    if (this.#stopped)
      throw new OperationError('unavailable', 'the process is stopping; connect again', {
        retryAfterSeconds: 2,
      })
    const operatorViewers = [...this.#viewers].filter((viewer) => viewer.operator === operator).length
    if (operatorViewers >= maxPerOperator)
      throw new OperationError(
        'too-many-requests',
        `operator '${operator}' already has ${maxPerOperator} open streams; close one of them`,
        { retryAfterSeconds: 5 },
      )
    if (this.#viewers.size >= maxViewers)
      throw new OperationError(
        'too-many-requests',
        `all ${maxViewers} streams are in use; retry later, or use GET /admin/v1/now`,
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
      every(everyMs, 'reading the state for the console', this.#log, () => this.#read()),
      every(checkEveryMs, 'checking live viewers', this.#log, () => this.#check()),
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

  /** Returns an ID larger than every earlier one, including those of earlier processes. */
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
      const refused = await this.#checkViewer(viewer)
      if (refused === null) continue
      this.#remove(viewer)
      viewer.end(refused.code, refused.message)
    }
  }

  async #checkViewer(viewer: Viewer): Promise<OperationError | null> {
    try {
      await viewer.check()
      viewer.checkedAt = performance.now()
      return null
    } catch (error) {
      const problem =
        toOperationError(error as Error) ?? new OperationError('internal', 'operator check failed')
      const isUnknown = problem.code === 'unavailable' || problem.code === 'internal'
      const uncheckedMs = performance.now() - viewer.checkedAt
      return isUnknown && uncheckedMs < this.#times.maxUncheckedMs ? null : problem
    }
  }
}
