/** Where messages are in the tables, which tells their state apart. Names only what both releases have. */
import { query } from '../support/processes/scratch-database.ts'

export interface Located {
  readonly recorded: number
  /** Not closed. */
  readonly open: number
  /** With a recorded answer of the carrier. */
  readonly attempted: number
  readonly waiting: number
  /** At their second step. */
  readonly second: number
  readonly parked: number
}

export async function locate(databaseUrl: string, msgKeys: readonly string[]): Promise<Located> {
  const [found] = await query<Record<keyof Located, number>>(
    databaseUrl,
    `select (select count(*)::int from messages where msg_key = any ($1)) as recorded,
            (select count(*)::int from in_flight where msg_key = any ($1)) as open,
            (select count(distinct msg_key)::int from attempts where msg_key = any ($1)) as attempted,
            (select count(*)::int from waiting where msg_key = any ($1)) as waiting,
            (select count(*)::int from in_flight where step = 2 and msg_key = any ($1)) as second,
            (select count(*)::int from parked where msg_key = any ($1)) as parked`,
    [msgKeys],
  )
  return found!
}
