/**
 * Results of the KT relay by querymsgstatus. The relay gives each batch to one query id and gives it again to the same id,
 * so ids are numbers of the day: a batch is asked for again until its receipts are stored, also by the next process after
 * a crash, which finds the last number that was used. Run by the first owner of a route.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../platform/backoff.ts'
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext } from '../connector.ts'
import type { Answer } from './answer.ts'
import type { MaapHost } from './host.ts'
import type { RelayOptions } from './relay-options.ts'
import { readElement } from './status.ts'
import { compactTime } from './time.ts'

type Found = 'stored' | 'empty' | 'used' | 'unused' | 'failed'

/** Statuses in one answer. */
const maxStatuses = 10_000
/** The id was used before; it was not. */
const usedCode = '79007'
const unusedCode = '79011'
const dayMs = 86_400_000
/** A poll a second for a day. */
const maxNumber = 86_400

export class ResultPoller {
  readonly #options: RelayOptions
  readonly #host: MaapHost
  readonly #context: ConnectorContext
  #failures = 0

  constructor(options: RelayOptions, host: MaapHost, context: ConnectorContext) {
    this.#options = options
    this.#host = host
    this.#context = context
  }

  async run(signal: AbortSignal): Promise<void> {
    let day = dayOf(clock.now())
    let number = (await this.#findLast(day, signal)) + 1
    if (number === 0) await this.#findLast(dayOf(clock.now() - dayMs), signal)
    let again = false
    while (!signal.aborted) {
      if (!again && day !== dayOf(clock.now())) {
        day = dayOf(clock.now())
        number = 0
      }
      const found = await this.#ask(`${day}-${number}`, again, signal)
      if (found === 'stored' || found === 'empty') {
        number++
        again = false
        this.#failures = 0
        if (found === 'empty') await rest(this.#options.pollIntervalMs, signal)
      } else if (found === 'used') {
        // Of another route with this RCS id, or our own whose answer was lost. Not given again: the next number.
        if (again) number++
        again = !again
      } else if (found === 'unused') again = false
      else {
        // It may have arrived, and its batch may be waiting under the id.
        again = true
        await this.#restAfterFailure(signal)
      }
    }
  }

  /** The last number of the day that was used, with its batch stored; -1 when there is none. */
  async #findLast(day: string, signal: AbortSignal): Promise<number> {
    let [low, high] = [-1, 1]
    const isUsed = async (number: number): Promise<boolean> => {
      for (;;) {
        const found = await this.#ask(`${day}-${number}`, true, signal)
        if (found === 'unused' || signal.aborted) return false
        if (found === 'stored' || found === 'empty') return true
        await this.#restAfterFailure(signal)
      }
    }
    while (high < maxNumber && (await isUsed(high - 1))) [low, high] = [high - 1, high * 2]
    for (let above = high - 1; above - low > 1;) {
      const middle = Math.floor((low + above) / 2)
      if (await isUsed(middle)) low = middle
      else above = middle
    }
    return low
  }

  async #ask(id: string, again: boolean, signal: AbortSignal): Promise<Found> {
    const { rcsId, queryUrl } = this.#options
    const query = { queryType: 'rcsId', rcsId, queryId: `${rcsId}-${id}`, retryYn: again ? 'Y' : 'N' }
    const result = await this.#host.call({
      ...{ path: '/querymsgstatus', baseUrl: queryUrl, signal },
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(query),
    })
    if (result.kind !== 'answer') return 'failed'
    const { code } = result.answer
    if (code === usedCode) return 'used'
    if (code === unusedCode) return 'unused'
    const batch = readBatch(result.answer)
    if (batch === null || !(await this.#store(batch.statuses))) return 'failed'
    return batch.statuses.length === 0 && !batch.hasMore ? 'empty' : 'stored'
  }

  async #store(statuses: readonly unknown[]): Promise<boolean> {
    const stored: Promise<void>[] = []
    for (const status of statuses) {
      const found = readElement(this.#options, status, undefined)
      if (found === null) this.#context.onEvent('malformed-status')
      else if ('receipt' in found) stored.push(this.#context.onReceipt(found.receipt))
      else this.#context.onEvent(found.event)
    }
    return (await Promise.allSettled(stored)).every(({ status }) => status === 'fulfilled')
  }

  async #restAfterFailure(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) this.#context.onEvent('query-failed')
    const { pollIntervalMs: firstMs, reconnectMaxMs } = this.#options
    const limits = { firstMs, maxMs: Math.max(firstMs, reconnectMaxMs) }
    await rest(backoffMs(this.#failures++, limits), signal)
  }
}

/** Null when the answer has no batch. */
export function readBatch({
  isSuccess,
  data,
}: Answer): { readonly statuses: readonly unknown[]; readonly hasMore: boolean } | null {
  const { statusInfo, moreToSend } = data
  if (!isSuccess || !Array.isArray(statusInfo) || statusInfo.length > maxStatuses) return null
  return { statuses: statusInfo, hasMore: moreToSend === 1 || moreToSend === '1' }
}

/** `20261115`, of Korea. */
function dayOf(ms: number): string {
  return compactTime(new Date(ms)).slice(0, 8)
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
