/** `postern traffic find`: the traffic records of one recipient, of one sender or of both, of one account or of all. */
import { lookAtTraffic } from '../../acts/traffic.ts'
import { clock } from '../../platform/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { findTraffic } from '../../records/traffic/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { readRequest, type TrafficOptions } from './request.ts'
import { recordsResult } from './view.ts'

export async function findRecords(
  invocation: Invocation<'masterKey' | 'previousMasterKey'>,
  number: string | undefined,
  options: TrafficOptions,
): Promise<Result> {
  const { limit, from = new Date(0), until, ...whose } = readRequest(number, options)
  const records = await withDatabase(invocation, async (database, config, audit) => {
    const found = await lookAtTraffic(database, audit, openEncryption(config), whose)
    if (found === null) return []
    // A message can be scheduled for 60 days ahead, and be cancelled before.
    const end = until ?? new Date(clock.now() + 61 * 86_400_000)
    return findTraffic(database, { ...found, from, until: end, limit })
  })
  return recordsResult(records, limit)
}
