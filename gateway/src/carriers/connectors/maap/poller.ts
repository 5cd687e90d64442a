/**
 * Polls results of the KT relay by querymsgstatus. The relay assigns each batch to one query id and returns it again for the same
 * id, so ids are numbers of the day: a batch whose response was lost is requested again, also by the next process after a
 * crash, which finds the last used number. A single failing id does not stop the results. Runs on the first owner of a route.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../platform/time/backoff.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { ConnectorContext } from '../connector.ts'
import type { MaapHost } from './host.ts'
import { parseQueryResponse, type IdState, type QueryProblem } from './query-response.ts'
import type { RelayOptions } from './relay-options.ts'
import { readElement } from './status.ts'
import { compactTime } from '../http/korean-time.ts'

/**
 * `more`: stored, and the relay has more. `used`: by an earlier query. `spent`: used, and not returned again. `unused`: not used
 * yet. `given-up`: the relay responds to other ids, but not to this one.
 */
type QueryResult = 'more' | 'stored' | 'given-up' | IdState

const dayMs = 86_400_000
/** Limits the search for the last used number to 31 queries that double the step and 31 that bisect. */
const maxStep = 2 ** 31
/** After this many consecutive failures of an id, another id is queried to test whether the relay responds at all. */
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

  /** Resolves after `signal` aborts. */
  async run(): Promise<void> {
    let day = formatDay(clock.now())
    let number = (await this.#findLast(day, -1)) + 1
    // If nothing was queried today, the last batch of yesterday is perhaps not stored.
    if (number === 0) await this.#findLast(formatDay(clock.now() - dayMs), -1)
    while (!this.#signal.aborted) {
      const today = formatDay(clock.now())
      if (day !== today) [day, number] = [today, 0]
      const found = await this.#settle(day, number, true)
      if (found === 'used') {
        // The number was used by another route with this RCS id, or by a process whose numbers had gaps.
        await this.#settle(day, number, false)
        number = await this.#findLast(day, number)
      } else if (found === 'spent') this.#logLost(day, number)
      number++
      if (found !== 'more') await this.#pause(this.#options.pollIntervalMs)
    }
  }

  /** Returns the last used number of the day, and stores its batch. Searches from `low`, which was used (or is -1). */
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

  /** Queries until there is a result. `isNew` requests a batch that was not returned before. Returns `unused` after an abort. */
  async #settle(day: string, number: number, isNew: boolean): Promise<QueryResult> {
    let isRepeat = !isNew
    let isSuspect = false
    for (let failures = 0; !this.#signal.aborted;) {
      const found = await this.#query(day, number, isRepeat)
      if (typeof found === 'string') {
        this.#recover()
        if (found !== 'unused' || !isNew) return found
        // The failed query did not arrive.
        isRepeat = false
        continue
      }
      // The query can have arrived, and its batch can be waiting under the id.
      isRepeat = true
      if (!found.isBusy) {
        if (isSuspect) return this.#giveUp(day, number, found)
        isSuspect =
          ++failures % failuresPerId === 0 && typeof (await this.#query(day, number + 1, true)) === 'string'
        if (isSuspect) continue
      }
      await this.#pauseAfter(found)
    }
    return 'unused'
  }

  async #query(day: string, number: number, isRepeat: boolean): Promise<QueryResult | QueryProblem> {
    const { rcsId, queryUrl, codes } = this.#options
    const queryId = `${rcsId}-${day}-${number}`
    const result = await this.#host.call({
      path: '/querymsgstatus',
      baseUrl: queryUrl,
      signal: this.#signal,
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify({ queryType: 'rcsId', rcsId, queryId, retryYn: isRepeat ? 'Y' : 'N' }),
    })
    if (result.kind !== 'answer') return { code: `maap:${result.code}`, retryAfterMs: null, isBusy: false }
    const batch = parseQueryResponse(result.answer, isRepeat, codes)
    if (typeof batch === 'string' || 'code' in batch) return batch
    // Do not request it again while it cannot be stored: the relay limits how often it returns a batch.
    while (!(await this.#store(batch.statuses))) {
      const problem = { code: 'maap:not-stored', retryAfterMs: null, isBusy: false }
      if (this.#signal.aborted) return problem
      await this.#pauseAfter(problem)
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

  #logLost(day: string, number: number): void {
    this.#context.onEvent('batch-lost')
    this.#context.log.error(
      { day, number },
      'the relay does not return a batch of results again; messages without a result end at their deadlines',
    )
  }

  #giveUp(day: string, number: number, { code }: QueryProblem): QueryResult {
    this.#context.onEvent('batch-lost')
    this.#context.log.error(
      { day, number, code },
      'a query for results keeps failing while other queries succeed; it is abandoned, and messages without a result end at their deadlines',
    )
    return 'given-up'
  }

  #recover(): void {
    const failures = this.#failures
    this.#failures = 0
    if (failures > 0) this.#context.log.info({ failures }, 'results from the relay are available again')
  }

  async #pauseAfter({ code, retryAfterMs }: QueryProblem): Promise<void> {
    if (this.#signal.aborted) return
    const { onEvent, log } = this.#context
    if (this.#failures === 0) log.warn({ code }, 'cannot get results from the relay; retrying')
    onEvent('poll-failed')
    const { pollIntervalMs: firstMs, reconnectMaxMs } = this.#options
    const maxMs = Math.max(firstMs, reconnectMaxMs)
    const backoff = backoffMs(this.#failures++, { firstMs, maxMs })
    // `Retry-After: 0` must not make requests more frequent.
    await this.#pause(Math.max(Math.min(retryAfterMs ?? backoff, maxMs), firstMs))
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#signal }).catch(() => undefined)
  }
}

/** Formats as `20261115`, the date in Korea. */
function formatDay(ms: number): string {
  return compactTime(new Date(ms)).slice(0, 8)
}
