import { query } from '../../support/processes/scratch-database.ts'

export interface StateCounts {
  readonly recorded: number
  /** Number of messages that are not closed. */
  readonly open: number
  /** Number of messages with a recorded response of the carrier. */
  readonly attempted: number
  readonly waiting: number
  /** Number of messages at their second step. */
  readonly second: number
  readonly parked: number
}

/** Counts messages by their state in the tables. Uses only columns of both releases. */
export async function countMessageStates(
  databaseUrl: string,
  msgKeys: readonly string[],
): Promise<StateCounts> {
  const [found] = await query<Record<keyof StateCounts, number>>(
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
