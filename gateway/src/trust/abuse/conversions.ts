/**
 * How many of the one-time codes of an account are used, by country, in the present and the previous UTC day. Only of accounts
 * whose clients report it. Codes are counted in memory and added to PostgreSQL every five seconds, by one statement for all
 * accounts; what all processes have counted is read every ten, in the background of a message. While PostgreSQL is
 * unavailable the last figures hold, and codes of that time are not counted: what is unknown is not refused.
 */
import type { Step } from '../../channels/channel.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { TrustSettings } from '../settings.ts'
import { addCodes, dayOf, readCodeUse, type CodeUse, type ConversionKey } from './conversion-store.ts'
import { countryOf } from '../../channels/country-codes.ts'

/** Of POSTERN_CONVERSION_MIN_CODES and POSTERN_CONVERSION_MAX_PERCENT. With fewer codes a rate says nothing. */
const defaults = { minCodes: 50, maxPercent: 50 } as const
const dayMs = 86_400_000

export interface ConversionsOptions extends Pick<
  TrustSettings,
  'conversionMinCodes' | 'conversionMaxPercent'
> {
  readonly database: Queryable
  readonly log: Log
  /** Milliseconds; tests set them shorter. */
  readonly readEveryMs?: number
  readonly addEveryMs?: number
}

export class Conversions {
  readonly #options: ConversionsOptions
  #known: ReadonlyMap<number, ReadonlyMap<string, CodeUse>> = new Map()
  #readAt = -Infinity
  #sent = new Map<string, ConversionKey & { codes: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ConversionsOptions) {
    this.#options = options
  }

  /** Whether few of the codes of the account to the country of the number were used. */
  isLow(accountId: number, to: string, now: number): boolean {
    this.#readAgain(now)
    const use = this.#known.get(accountId)?.get(regionOf(to))
    if (use === undefined) return false
    const { conversionMinCodes = defaults.minCodes, conversionMaxPercent = defaults.maxPercent } =
      this.#options
    return use.codes >= conversionMinCodes && use.converted * 100 <= use.codes * conversionMaxPercent
  }

  /** Counts a message that has a code; returns what takes it back. */
  add(accountId: number, to: string, steps: readonly Step[], now: number): (() => void) | undefined {
    if (!this.#known.has(accountId) || !steps.some(isOneTimeCode)) return undefined
    const [country, day] = [regionOf(to), dayOf(now)]
    const key = `${accountId}/${country}/${day}`
    let row = this.#sent.get(key)
    if (row === undefined) this.#sent.set(key, (row = { accountId, country, day, codes: 0 }))
    row.codes++
    this.#timer ??= setTimeout(() => void this.#addSent(), this.#options.addEveryMs ?? 5_000).unref()
    return () => {
      row.codes--
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#addSent()
  }

  async #addSent(): Promise<void> {
    this.#timer = undefined
    const counts = [...this.#sent.values()].filter(({ codes }) => codes > 0)
    this.#sent = new Map()
    if (counts.length === 0) return
    await addCodes(this.#options.database, counts).catch((error: unknown) =>
      this.#options.log.warn(
        { err: error as Error },
        'cannot count one-time codes; those of some seconds are left out',
      ),
    )
  }

  #readAgain(now: number): void {
    // The caller's time: to ask the system for it takes longer than the rest. A jump of it in either direction is a reason to read.
    if (Math.abs(now - this.#readAt) < (this.#options.readEveryMs ?? 10_000)) return
    this.#readAt = now
    readCodeUse(this.#options.database, dayOf(now - dayMs)).then(
      (rows) => {
        const accounts = Map.groupBy(rows, ({ accountId }) => accountId)
        this.#known = new Map(
          [...accounts]
            .filter(([, own]) => own.some(({ converted }) => converted > 0))
            .map(([id, own]) => [id, new Map(own.map((row) => [row.country, row]))]),
        )
      },
      (error: unknown) =>
        this.#options.log.warn({ err: error as Error }, 'cannot read how many one-time codes were used'),
    )
  }
}

export function regionOf(to: string): string {
  return to.startsWith('+') ? (countryOf(to) ?? '-') : 'KR'
}
