/** Parks jobs as the stages do. */
import { acceptedJob } from '../../../gateway/test/support/fixtures.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'
import { openDatabase } from '../../../gateway/src/platform/database/database.ts'
import { saveParked } from '../../../gateway/src/records/parked/queries.ts'
import type { ParkedStage } from '../../../gateway/src/records/parked/read.ts'

export interface ParkedDraft {
  readonly stage: ParkedStage
  readonly reason: string
  readonly count: number
}

/** Parks accepted jobs of the first account under any stage. Intake can record them. */
export async function parkJobs(databaseUrl: string, drafts: readonly ParkedDraft[]): Promise<void> {
  const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
  try {
    const { rows } = await database.query<{ id: number }>('select min(id) as id from accounts')
    const jobs = drafts.flatMap(({ stage, reason, count }) =>
      Array.from({ length: count }, () => {
        const job = acceptedJob({ accountId: rows[0]!.id })
        const payload = Buffer.from(JSON.stringify(job))
        return { stage, reason, payload, msgKey: stage === 'unreadable' ? null : job.msgKey }
      }),
    )
    await saveParked(database, jobs)
  } finally {
    await database.end()
  }
}
