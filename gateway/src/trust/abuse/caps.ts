/**
 * Caps by day and month, never exceeded across all processes: counters that are leased from PostgreSQL. An
 * account without a cap needs no statement.
 */
import type { Draft } from '../../channels/channel.ts'
import { countries, findCountry } from '../../channels/country-codes.ts'
import { channels } from '../../channels/registry.ts'
import { Problem } from '../../contract/problem.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { LeasedCounters, type CounterUse, type LeaseTimes } from '../../platform/database/leased-counters.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { CapKey, CapStore } from './cap-store.ts'
import type { Cap } from './protection.ts'
import type { Period } from './protection-choices.ts'

/** A cap that a message counts for. */
export interface CapUse extends Cap {
  readonly count: number
}

export type CapResult =
  /** `putBack` undoes the count of a message that was not accepted. */
  | { readonly kind: 'taken'; readonly putBack: () => void }
  | { readonly kind: 'reached'; readonly cap: Cap }
  | { readonly kind: 'busy' }

export interface CapsOptions extends LeaseTimes {
  readonly store: CapStore
  readonly findPeriodStart: FindPeriodStart
  readonly log: Log
}

interface CountedCap extends CounterUse<CapKey> {
  readonly cap: Cap
}

export class Caps {
  readonly #options: CapsOptions
  readonly #counters: LeasedCounters<CapKey, CountedCap>

  constructor(options: CapsOptions) {
    this.#options = options
    this.#counters = new LeasedCounters(options.store, options.log, options)
  }

  /** Counts against all caps or none. */
  async take(accountId: number, uses: readonly CapUse[], now: number): Promise<CapResult> {
    const result = await this.#counters.take(uses.map((use) => this.#toCounter(accountId, use, now)))
    return result.kind === 'reached' ? { kind: 'reached', cap: result.use.cap } : result
  }

  /** Returns the cap that the message would exceed now, or null. Reads PostgreSQL, and counts nothing. */
  async findReached(accountId: number, uses: readonly CapUse[], now: number): Promise<Cap | null> {
    const { store, findPeriodStart } = this.#options
    const begins = { day: findPeriodStart('day', now), month: findPeriodStart('month', now) }
    const rows = await store.readUsed(accountId, begins)
    const found = uses.find((use) => {
      const counter = this.#toCounter(accountId, use, now)
      const row = rows.find(({ class: name, period }) => name === use.class && period === use.period)
      return (row?.used ?? 0) - this.#counters.left(counter.name) + use.count > use.max
    })
    return found ?? null
  }

  /** Gives back all leases. Call it after the last message was counted. */
  stop(): Promise<void> {
    return this.#counters.stop()
  }

  #toCounter(accountId: number, use: CapUse, now: number): CountedCap {
    const { period, class: name, max, count } = use
    const key = { accountId, period, class: name, begins: this.#options.findPeriodStart(period, now) }
    return { name: `${accountId}/${name}/${period}/${key.begins}`, key, max, count, cap: use }
  }
}

export function isCapClass(text: string): boolean {
  return text === 'all' || Object.hasOwn(channels, text) || countries.has(text)
}

/**
 * Returns the caps that a message counts against: once for `all` and once for every channel of its flow,
 * whichever of them delivers it. International messages are billed by part, and count by part for their
 * channel and their country.
 */
export function findCapUses(caps: readonly Cap[], draft: Pick<Draft, 'to' | 'steps'>): CapUse[] {
  return caps.map((cap) => ({ ...cap, count: countFor(cap.class, draft) })).filter(({ count }) => count > 0)
}

function countFor(name: string, { to, steps }: Pick<Draft, 'to' | 'steps'>): number {
  if (name === 'all') return 1
  const isCountry = !Object.hasOwn(channels, name)
  const step = steps.find(({ channel }) => channel === (isCountry ? 'international' : name))
  if (step === undefined || (isCountry && findCountry(to) !== name)) return 0
  return step.channel === 'international' ? channels.international.parts(step, '').length : 1
}

/** Returns the client's error for a message that cannot be counted. */
export function toCapProblem(result: Exclude<CapResult, { kind: 'taken' }>): Problem {
  if (result.kind === 'busy')
    return new Problem('A920', 'Service busy: the caps of the account are unavailable; retry', 1)
  const { period, class: name, max } = result.cap
  const label = name === 'all' ? 'messages' : `messages of the class ${name}`
  return new Problem(
    'A343',
    `Cap reached: at most ${max} ${label} per ${period} allowed; wait for the next ${period}, or ask the operator for a higher cap`,
  )
}

/** Returns the day, or the first day of the month, to which a cap counts (YYYY-MM-DD). */
export type FindPeriodStart = (period: Period, now: number) => string

export function createFindPeriodStart(timeZone: string): FindPeriodStart {
  const format = createTimeFormat(timeZone)
  let minute = NaN
  let [day, month] = ['', '']
  return (period, now) => {
    const current = Math.floor(now / 60_000)
    if (current !== minute) {
      minute = current
      day = format(new Date(now)).slice(0, 10)
      month = `${day.slice(0, 7)}-01`
    }
    return period === 'day' ? day : month
  }
}
