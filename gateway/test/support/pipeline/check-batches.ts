import { createCheckSteps } from '../../../src/pipeline/accept/check-steps.ts'
import { checkNextPage } from '../../../src/pipeline/batches/check.ts'
import { createJudge, type JudgeLines } from '../../../src/pipeline/batches/judge.ts'
import { inTransaction, type Database } from '../../../src/platform/database/database.ts'
import { claimBatchWork } from '../../../src/records/batches/work.ts'
import { createFileLookup } from '../../../src/records/files/lookup.ts'
import type { Policy } from '../../../src/trust/policy.ts'

export function createTestJudge(database: Database, policy: Pick<Policy, 'checkDraft'>): JudgeLines {
  const files = createFileLookup(database)
  return createJudge({
    checkSteps: createCheckSteps({ policy, files, publicFileUrl: '' }),
    usesSmartEncoding: () => true,
  })
}

/** Checks all batches as a worker does, and returns when no batch is left to check. */
export async function checkBatches(database: Database, policy: Pick<Policy, 'checkDraft'>): Promise<void> {
  const judge = createTestJudge(database, policy)
  const checkNext = (): Promise<boolean> =>
    inTransaction(database, async (transaction) => {
      const batch = await claimBatchWork(transaction, 'checking')
      if (batch === null) return false
      await checkNextPage(transaction, batch, { judge, timeZone: 'Asia/Seoul', rulesAgeMs: () => -Infinity })
      return true
    })
  while (await checkNext());
}
