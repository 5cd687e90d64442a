/**
 * Counts how many one-time codes of an account are used, by country, today and yesterday (UTC), for accounts
 * whose clients report it. Codes are counted in memory and added to PostgreSQL every five seconds for all
 * accounts together; the sum of all processes is read every ten. The counts only inform a rule, so they can
 * be late: while PostgreSQL is unavailable the last values apply, and codes of that time are not counted. The
 * only writer of conversions and conversion_counts.
 */
import type { Step } from '../../channels/channel.ts'
import { findCountry } from '../../channels/country-codes.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { TrustSettings } from '../settings.ts'

/**
 * Defaults of POSTERN_CONVERSION_MIN_CODES and POSTERN_CONVERSION_MAX_PERCENT. A rate over fewer codes is not
 * significant.
 */
const defaults = { minCodes: 50, maxPercent: 50 } as const
const dayMs = 86_400_000

export interface ConversionsOptions extends Pick<
  TrustSettings,
  'conversionMinCodes' | 'conversionMaxPercent'
> {
  readonly database: Queryable
  readonly log: Log
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

  /** Reports whether few of the account's codes to the country of the number were used. */
  isLow(accountId: number, to: string, now: number): boolean {
    this.#readAgain(now)
    const use = this.#known.get(accountId)?.get(findRegion(to))
    if (use === undefined) return false
    const { conversionMinCodes = defaults.minCodes, conversionMaxPercent = defaults.maxPercent } =
      this.#options
    return use.codes >= conversionMinCodes && use.converted * 100 <= use.codes * conversionMaxPercent
  }

  /**
   * Counts a message that has a code; returns undefined if it is not counted. The returned function undoes the count
   * until it is added to PostgreSQL.
   */
  add(accountId: number, to: string, steps: readonly Step[], now: number): (() => void) | undefined {
    if (!this.#known.has(accountId) || !steps.some(isOneTimeCode)) return undefined
    const [country, day] = [findRegion(to), toUtcDate(now)]
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
        'cannot count one-time codes; those of some seconds are missing',
      ),
    )
  }

  #readAgain(now: number): void {
    // A clock jump in either direction also triggers a read.
    if (Math.abs(now - this.#readAt) < (this.#options.readEveryMs ?? 10_000)) return
    this.#readAt = now
    readCodeUse(this.#options.database, toUtcDate(now - dayMs)).then(
      (rows) => {
        const accounts = Map.groupBy(rows, ({ accountId }) => accountId)
        this.#known = new Map(
          [...accounts]
            .filter(([, rowsOfAccount]) => rowsOfAccount.some(({ converted }) => converted > 0))
            .map(([id, rowsOfAccount]) => [id, new Map(rowsOfAccount.map((row) => [row.country, row]))]),
        )
      },
      (error: unknown) =>
        this.#options.log.warn({ err: error as Error }, 'cannot read how many one-time codes were used'),
    )
  }
}

/** Returns the ISO code of the country; `-` for a calling code that belongs to none. */
export function findRegion(to: string): string {
  return to.startsWith('+') ? (findCountry(to) ?? '-') : 'KR'
}

export interface ConversionKey {
  readonly accountId: number
  readonly country: string
  /** YYYY-MM-DD, UTC. */
  readonly day: string
}

export interface CodeUse {
  readonly codes: number
  readonly converted: number
}

export const toUtcDate = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Adds sent codes. Every key must occur once. */
export async function addCodes(
  database: Queryable,
  counts: readonly (ConversionKey & { readonly codes: number })[],
): Promise<void> {
  const sorted = counts.toSorted((one, other) => compare(one, other))
  await queryBulk(database, {
    name: 'add-codes',
    text: `insert into conversion_counts as c (account_id, country, day, codes)
           select * from unnest($1::int[], $2::text[], $3::date[], $4::bigint[])
           on conflict (account_id, country, day) do update set codes = c.codes + excluded.codes`,
    columns: columns(sorted, (row) => [row.accountId, row.country, row.day, row.codes]),
  })
}

/** Returns how many of the messages were not counted before. */
export function addConversions(
  database: Transactional,
  accountId: number,
  messages: readonly { readonly msgKey: string; readonly country: string }[],
  day: string,
): Promise<number> {
  if (messages.length === 0) return Promise.resolve(0)
  return inTransaction(database, async (transaction) => {
    const sorted = messages.toSorted((one, other) => (one.msgKey < other.msgKey ? -1 : 1))
    const added = await queryBulk<{ key: string }>(transaction, {
      text: `insert into conversions (msg_key, day) select key, $2::date from unnest($1::text[]) as key
             on conflict do nothing returning msg_key as key`,
      columns: columns(sorted, ({ msgKey }) => [msgKey]),
      values: [day],
    })
    const newKeys = new Set(added.map(({ key }) => key))
    const groups = Map.groupBy(
      sorted.filter(({ msgKey }) => newKeys.has(msgKey)),
      ({ country }) => country,
    )
    const counts = [...groups].map(([country, used]) => ({ accountId, country, day, converted: used.length }))
    await queryBulk(transaction, {
      text: `insert into conversion_counts as c (account_id, country, day, converted)
             select * from unnest($1::int[], $2::text[], $3::date[], $4::bigint[])
             on conflict (account_id, country, day) do update set converted = c.converted + excluded.converted`,
      columns: columns(
        counts.toSorted((one, other) => compare(one, other)),
        (row) => [row.accountId, row.country, row.day, row.converted],
      ),
    })
    return newKeys.size
  })
}

function compare(one: ConversionKey, other: ConversionKey): number {
  return one.accountId - other.accountId || (one.country < other.country ? -1 : 1)
}

/** Sums up the codes of every account and country since a day. */
export async function readCodeUse(
  database: Queryable,
  since: string,
): Promise<(Omit<ConversionKey, 'day'> & CodeUse)[]> {
  const result = await database.query<Omit<ConversionKey, 'day'> & CodeUse>({
    name: 'read-code-use',
    text: `select account_id as "accountId", country, sum(codes)::bigint as codes, sum(converted)::bigint as converted
             from conversion_counts where day >= $1 group by account_id, country`,
    values: [since],
  })
  return result.rows
}

export async function deleteOldConversions(database: Queryable, before: string): Promise<void> {
  await database.query('delete from conversions where day < $1', [before])
  await database.query('delete from conversion_counts where day < $1', [before])
}
