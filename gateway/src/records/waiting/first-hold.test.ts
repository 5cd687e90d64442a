/**
 * A waiting step stores when its current hold began. A step that a rule holds, or that waits to be placed again, is
 * deferred for at most ten seconds from that time.
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recordOne } from '../../../test/support/fixtures.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { toHeldStep } from '../../pipeline/scheduling/place.ts'
import { readWaiting } from './read-waiting.ts'
import type { HeldStep, WaitingStep } from './waiting-step.ts'
import { holdSteps, removeWaiting } from './write-waiting.ts'

const { database } = await createTestDatabase()
const rule = 'sender-number-registered'
const row = { accountId: 1, routeId: '', lane: 'normal', parts: 1, tries: 0 } as const
let key: StepKey

beforeEach(async () => {
  key = await recordOne(database)
})

const hold = (held: Pick<HeldStep, 'reason' | 'rule'>): Promise<void> =>
  holdSteps(database, [{ ...key, ...row, ...held, releaseAt: new Date() }])

async function read(): Promise<WaitingStep> {
  const [step] = await readWaiting(database, [key.msgKey])
  return step!
}

/** Puts the hold into the past, and returns its time. */
async function age(seconds: number): Promise<number> {
  const since = Date.now() - seconds * 1_000
  await database.query('update waiting set created_at = $2 where msg_key = $1', [key.msgKey, new Date(since)])
  return since
}

test('a step that is held again by the same rule keeps its start time', async () => {
  await hold({ reason: 'rule', rule })
  const since = await age(7)
  const { job } = await read()
  await removeWaiting(database, [key])
  const again = { lane: 'normal', parts: 1, releaseAt: new Date(), reason: 'rule' } as const
  await holdSteps(database, [toHeldStep(job!, { ...again, rule })])
  assert.equal((await read()).job!.heldAt, since)
  await removeWaiting(database, [key])
  await holdSteps(database, [toHeldStep(job!, { ...again, rule: 'account-stopped' })])
  assert.ok((await read()).job!.heldAt! > since, 'of another rule')
})

for (const before of ['scheduled', 'backlog'] as const)
  test(`a step that waited as ${before} gets a new start when held or owed`, async () => {
    await hold({ reason: before })
    const waited = await age(7_200)
    await hold({ reason: 'rule', rule })
    assert.ok((await read()).job!.heldAt! > waited)
    const held = await age(7)
    await hold({ reason: 'rule', rule })
    assert.equal((await read()).job!.heldAt, held, 'of the same rule')
    await hold({ reason: 'owed' })
    assert.ok((await read()).owedAt! > held)
    const owed = await age(7)
    await hold({ reason: 'owed' })
    assert.equal((await read()).owedAt, owed)
  })

test('a step that waits for its turn again has waited since the first time', async () => {
  await hold({ reason: 'scheduled' })
  const since = await age(60)
  for (const reason of ['backlog', 'moved', 'retry'] as const) {
    await hold({ reason })
    assert.equal((await read()).job!.heldAt, since)
  }
})
