/** `postern traffic find`: the traffic records of one recipient, of one sender or of both, of one account or of all. */
import { maskNumber } from '../../channels/numbers.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { findTraffic } from '../../records/traffic/queries.ts'
import { noSuchAccount } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

const maxLimit = 100_000

export interface TrafficOptions {
  readonly sender?: string
  readonly account?: string
  readonly from?: string
  readonly until?: string
  readonly limit: number
}

export async function findTrafficRecords(
  invocation: Invocation<'masterKey' | 'previousMasterKey'>,
  number: string | undefined,
  options: TrafficOptions,
): Promise<Result> {
  const { sender } = options
  if (number === undefined && sender === undefined)
    throw new UsageError('name a recipient, or a sender with --sender')
  const from = readTime('--from', options.from) ?? new Date(0)
  const until = readTime('--until', options.until)
  const { limit } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new UsageError(`--limit must be a whole number from 1 to ${maxLimit}`)
  const records = await withDatabase(invocation, async (database, config, audit) => {
    const target = [
      ...(number === undefined ? [] : [maskNumber(number)]),
      ...(sender === undefined ? [] : [`from ${sender}`]),
    ].join(' ')
    await audit.look({
      target,
      ...(options.account === undefined ? {} : { account: options.account }),
    })
    const accountIds = await readAccountIds(database, options.account)
    const index = number === undefined ? undefined : await openEncryption(config).findBlindIndex(database)
    if (number !== undefined && index === undefined) return []
    const indexes = index && accountIds.map((id) => index.of(number!, id))
    // A message can be scheduled for 60 days ahead, and be cancelled before.
    const end = until ?? new Date(clock.now() + 61 * 86_400_000)
    return findTraffic(database, { accountIds, indexes, sender, from, until: end, limit })
  })
  const lines = records.map(
    ({ sentAt, msgKey, clientId, channel, sender: used, reportCode }) =>
      `${sentAt.toISOString()}  ${msgKey}  ${clientId}  ${channel}  ${used ?? '-'}  ${reportCode}`,
  )
  if (records.length === limit) lines.push(`the newest ${limit}; --limit prints more`)
  return { json: { records }, lines: lines.length > 0 ? lines : ['no such traffic record'] }
}

async function readAccountIds(database: Database, clientId: string | undefined): Promise<number[]> {
  const result = await database.query<{ id: number }>(
    'select id from accounts where $1::text is null or client_id = $1',
    [clientId ?? null],
  )
  if (clientId !== undefined && result.rows.length === 0) throw noSuchAccount(clientId)
  return result.rows.map(({ id }) => id)
}

function readTime(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${option} must be a UTC day or time, such as 2026-11-01 or 2026-11-01T09:00:00Z`)
  return time
}
