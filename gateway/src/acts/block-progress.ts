/**
 * What became of the messages of an account that was just blocked, with the progress while workers empty its backlog. It
 * asks only what an index answers; the whole of `in_flight` is counted at the beginning and once nothing waits any more.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AccountStop } from '../accounts/stops.ts'
import type { Database } from '../platform/database.ts'
import { countEndedOf, countOpenOf } from '../records/messages/stopped.ts'
import { countAsideOf } from '../records/waiting/aside.ts'
import { findAccountsWaiting } from '../records/waiting/find-waiting.ts'

/** Tests set it shorter. */
export interface BlockTimes {
  /** Every process has read the block by then. */
  readonly followMs: number
  readonly lookEveryMs: number
  /** Workers go on after it. */
  readonly maxMs: number
}

export const rule = 'account-stopped'
/** A look that takes long is repeated less often: it is an incident, and others need the database. */
const restPerLook = 4

export interface StopCounts {
  /** With carriers when the block was made. */
  readonly submitted: number
  readonly closed: number
  readonly held: number
  /** Neither ended nor put aside yet. */
  readonly open: number
}

/** `times` is null where the command does not wait. */
export async function countStopped(
  database: Database,
  { accountId, reportSeq, backlog }: AccountStop,
  times: BlockTimes | null,
  progress: (text: string) => void,
): Promise<StopCounts> {
  const began = performance.now()
  let seq = reportSeq
  let closed = 0
  const readEnded = async (): Promise<void> => {
    const { ended, lastSeq } = await countEndedOf(database, accountId, seq)
    closed += ended
    seq = lastSeq
  }
  const readHeld = (): Promise<number> => countAsideOf(database, accountId, rule)
  const { submitted, open: unsubmitted } = await countOpenOf(database, accountId)
  await readEnded()
  let held = await readHeld()
  const total = Math.max(0, unsubmitted - held)
  if (times === null) return { submitted, closed, held, open: total }
  const before = closed + held
  if (total > 0) progress(`${total} messages wait; running processes stop submitting within two seconds`)
  for (let tookMs = 0; ;) {
    await delay(Math.max(times.lookEveryMs, restPerLook * tookMs))
    const lookedAt = performance.now()
    await readEnded()
    held = await readHeld()
    const isOver = lookedAt - began >= times.maxMs
    let open = Math.max(1, total + before - closed - held)
    if (isOver || (lookedAt - began >= times.followMs && !(await isWaiting(database, accountId, backlog))))
      open = Math.max(0, (await countOpenOf(database, accountId)).open - held)
    if (open === 0 || isOver) return { submitted, closed, held, open }
    if (total > 0) progress(`${closed} ended, ${held} held, ${open} of ${total} still open`)
    tookMs = performance.now() - lookedAt
  }
}

async function isWaiting(database: Database, accountId: number, backlog: AccountStop['backlog']) {
  const found = await findAccountsWaiting(database, [accountId], backlog === 'hold' ? 'due' : 'all')
  return found.length > 0
}
