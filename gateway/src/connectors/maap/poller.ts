/**
 * Results of the KT relay by querymsgstatus. The relay gives each batch to one query id and gives it again to the same id,
 * so ids are numbers of the day: a batch whose answer was lost is asked for again, also by the next process after a crash,
 * which finds the last number that was used. No single id stops the results. Run by the first owner of a route.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../platform/backoff.ts'
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext } from '../connector.ts'
import type { MaapHost } from './host.ts'
import { readQueryAnswer, type IdState, type Problem } from './query-answer.ts'
import type { RelayOptions } from './relay-options.ts'
import { readElement } from './status.ts'
import { compactTime } from '../korean-time.ts'

/**
 * `more`: stored, and the relay has more. `used`: by an earlier query. `spent`: used, and not given again. `unused`: not
 * used before. `given-up`: the relay answers other ids, but not this one.
 */
type Found = 'more' | 'stored' | 'given-up' | IdState

const dayMs = 86_400_000
/** Steps of the search for the last number that was used: 32 to double, 31 to bisect. */
const maxStep = 2 ** 31
/** After this many failures of an id in a row, another one is asked whether the relay answers at all. */
const failuresPerId = 10

export class ResultPoller {
  readonly #options: RelayOptions
  readonly #host: MaapHost
  readonly #context: ConnectorContext
  readonly #signal: AbortSignal
  #failures = 0

  constructor(options: RelayOptions, host: MaapHost, context: ConnectorContext, signal: AbortSignal) {
    this.#options = options
    this.#host = host
    this.#context = context
    this.#signal = signal
  }

  /** Resolves after the signal. */
  async run(): Promise<void> {
    let day = dayOf(clock.now())
    let number = (await this.#findLast(day, -1)) + 1
    if (number === 0) await this.#findLast(dayOf(clock.now() - dayMs), -1)
    while (!this.#signal.aborted) {
      const today = dayOf(clock.now())
      if (day !== today) [day, number] = [today, 0]
      const found = await this.#settle(day, number, true)
      if (found === 'used') {
        // By another route with this RCS id, or by a process whose numbers had gaps.
        await this.#settle(day, number, false)
        number = await this.#findLast(day, number)
      } else if (found === 'spent') this.#reportLost(day, number)
      number++
      if (found !== 'more') await this.#rest(this.#options.pollIntervalMs)
    }
  }

  /** The last number of the day that was used, with its batch stored, from `low` on, which was used (or is -1). */
  async #findLast(day: string, low: number): Promise<number> {
    const isUsed = async (number: number): Promise<boolean> =>
      (await this.#settle(day, number, false)) !== 'unused'
    let step = 1
    for (; step < maxStep && (await isUsed(low + step)); step *= 2) low += step
    for (let above = low + step; above - low > 1;) {
      const middle = Math.floor((low + above) / 2)
      if (await isUsed(middle)) low = middle
      else above = middle
    }
    return low
  }

  /** Asks until it is decided; `isNew`: for a batch that was not given before. After the signal: `unused`. */
  async #settle(day: string, number: number, isNew: boolean): Promise<Found> {
    let again = !isNew
    let isSuspect = false
    for (let failures = 0; !this.#signal.aborted;) {
      const found = await this.#ask(day, number, again)
      if (typeof found === 'string') {
        this.#recover()
        if (found !== 'unused' || !isNew) return found
        // The query that failed did not arrive.
        again = false
        continue
      }
      // It may have arrived, and its batch may be waiting under the id.
      again = true
      if (!found.isBusy) {
        if (isSuspect) return this.#giveUp(day, number, found)
        isSuspect =
          ++failures % failuresPerId === 0 && typeof (await this.#ask(day, number + 1, true)) === 'string'
        if (isSuspect) continue
      }
      await this.#restAfter(found)
    }
    return 'unused'
  }

  async #ask(day: string, number: number, again: boolean): Promise<Found | Problem> {
    const { rcsId, queryUrl, codes } = this.#options
    const queryId = `${rcsId}-${day}-${number}`
    const result = await this.#host.call({
      ...{ path: '/querymsgstatus', baseUrl: queryUrl, signal: this.#signal },
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({ queryType: 'rcsId', rcsId, queryId, retryYn: again ? 'Y' : 'N' }),
    })
    if (result.kind !== 'answer') return { code: `maap:${result.code}`, retryAfterMs: null, isBusy: false }
    const batch = readQueryAnswer(result.answer, again, codes)
    if (typeof batch === 'string' || 'code' in batch) return batch
    // Not asked for again while it cannot be stored: the relay limits how often it gives a batch.
    while (!(await this.#store(batch.statuses))) {
      const problem = { code: 'maap:not-stored', retryAfterMs: null, isBusy: false }
      if (this.#signal.aborted) return problem
      await this.#restAfter(problem)
    }
    return batch.hasMore && batch.statuses.length > 0 ? 'more' : 'stored'
  }

  async #store(statuses: readonly unknown[]): Promise<boolean> {
    const stored: Promise<void>[] = []
    for (const status of statuses) {
      const found = readElement(this.#options, status, undefined)
      if (found === null) this.#context.onEvent('malformed-receipt')
      else if ('receipt' in found) stored.push(this.#context.onReceipt(found.receipt))
      else this.#context.onEvent(found.event)
    }
    return (await Promise.allSettled(stored)).every(({ status }) => status === 'fulfilled')
  }

  #reportLost(day: string, number: number): void {
    this.#context.onEvent('batch-lost')
    this.#context.log.error(
      { day, number },
      'the relay does not give a batch of results again; messages without a result end at their deadlines',
    )
  }

  #giveUp(day: string, number: number, { code }: Problem): Found {
    this.#context.onEvent('batch-lost')
    this.#context.log.error(
      { day, number, code },
      'the answer to a query for results cannot be read, others can; it is given up, and messages without a result end at their deadlines',
    )
    return 'given-up'
  }

  #recover(): void {
    const failures = this.#failures
    this.#failures = 0
    if (failures > 0) this.#context.log.info({ failures }, 'results from the relay are available again')
  }

  async #restAfter({ code, retryAfterMs }: Problem): Promise<void> {
    if (this.#signal.aborted) return
    const { onEvent, log } = this.#context
    if (this.#failures === 0) log.warn({ code }, 'cannot get results from the relay; trying again')
    onEvent('poll-failed')
    const { pollIntervalMs: firstMs, reconnectMaxMs } = this.#options
    const maxMs = Math.max(firstMs, reconnectMaxMs)
    const backoff = backoffMs(this.#failures++, { firstMs, maxMs })
    // `Retry-After: 0` does not make requests more frequent.
    await this.#rest(Math.max(Math.min(retryAfterMs ?? backoff, maxMs), firstMs))
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#signal }).catch(() => undefined)
  }
}

/** `20261115`, of Korea. */
function dayOf(ms: number): string {
  return compactTime(new Date(ms)).slice(0, 8)
}
