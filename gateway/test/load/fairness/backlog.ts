/**
 * Creates a backlog of messages that wait for their turn on a route. Uses the statements with which intake
 * records waiting messages, in larger batches and without the API and the broker, because a million requests
 * would take longer than the measurement itself.
 */
import { defaultSettings } from '../../../src/identity/accounts/account.ts'
import { insertAccount } from '../../../src/identity/accounts/queries.ts'
import type { AcceptedJob } from '../../../src/jobs/jobs.ts'
import type { Lane } from '../../../src/channels/lane.ts'
import { recordMessages } from '../../../src/records/messages/record.ts'
import type { HeldStep } from '../../../src/records/waiting/waiting-step.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import { inParallel } from '../../support/parallel.ts'
import { withProgress } from '../../support/measure/progress.ts'
import { sender } from '../steady-load.ts'

export interface Backlog {
  readonly accountId: number
  readonly routeId: string
  readonly lane: Lane
  readonly count: number
  readonly recipient: (index: number) => string
}

const batchSize = 4_000
const batchesAtOnce = 3
const dayMs = 86_400_000

export async function loadBacklog(database: Database, backlog: Backlog): Promise<void> {
  const batches = Array.from(
    { length: Math.ceil(backlog.count / batchSize) },
    (_, batch) => batch * batchSize,
  )
  let written = 0
  const writing = inParallel(batches, batchesAtOnce, async (first) => {
    const count = Math.min(batchSize, backlog.count - first)
    const jobs = Array.from({ length: count }, (_, index) => toJob(backlog, first + index))
    const held = new Map(jobs.map((job) => [job.msgKey, toHeld(backlog, job)]))
    await recordMessages(database, jobs, () => new Date(Date.now() + dayMs), held)
    written += count
  })
  await withProgress(writing, () => `${written} of ${backlog.count} written`)
}

/** Creates an account for a backlog, without a usable password. `weight` decides its share while others have a backlog too. */
export async function insertWaitingAccount(database: Database, name: string, weight = 1): Promise<number> {
  const id = await insertAccount(database, { ...defaultSettings, clientId: name, name, passwordHash: '-' })
  await database.query('update accounts set weight = $2 where id = $1', [id, weight])
  return id
}

function toJob({ accountId, recipient }: Backlog, index: number): AcceptedJob {
  const acceptedAt = Date.now()
  return {
    v: 1,
    msgKey: createMsgKey('00', new Date(acceptedAt)),
    accountId,
    acceptedAt,
    to: recipient(index),
    steps: [{ channel: 'sms', from: sender, text: 'endurance' }],
  }
}

function toHeld({ accountId, routeId, lane }: Backlog, { msgKey, acceptedAt }: AcceptedJob): HeldStep {
  const first = { step: 1, try: 1, parts: 1, tries: 0 }
  return { ...first, msgKey, accountId, routeId, lane, releaseAt: new Date(acceptedAt), reason: 'backlog' }
}
