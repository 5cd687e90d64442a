import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import {
  createSchedulingSettingsTable,
  defaultSchedulingSettings,
} from '../../identity/accounts/scheduling-settings.ts'
import type { BatchWork } from '../../records/batches/work.ts'
import { createJudge } from './judge.ts'

const { database } = await createTestDatabase()

test('a line has plain equivalents of characters that CP949 lacks, unless its account has no smart encoding', async () => {
  const accountId = await createAccount(database, 'smart')
  const strictId = await createAccount(database, 'strict', { smartEncoding: false })
  const settings = createSchedulingSettingsTable(database, silentLog)
  await settings.refresh()
  const judge = createJudge({
    checkSteps: () => Promise.resolve(),
    usesSmartEncoding: (id) => (settings.value.get(id) ?? defaultSchedulingSettings).smartEncoding,
  })
  const messageFlow = [{ sms: { from: '0234567890', text: 'Open #{hours}' } }]
  const batch = { batchKey: 'b', ref: null, content: JSON.stringify({ messageFlow }), sealed: null }
  const lines = [{ to: '01012345678', replaceWords: { hours: '9—18' } }]
  const judgeAs = async (id: number) => (await judge({ ...batch, accountId: id } as BatchWork, lines))[0]!
  const accepted = await judgeAs(accountId)
  assert.ok('draft' in accepted)
  assert.deepEqual(accepted.draft.steps, [{ channel: 'sms', from: '0234567890', text: 'Open 9-18' }])
  assert.deepEqual(await judgeAs(strictId), { code: 'A303' })
})
