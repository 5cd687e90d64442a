/**
 * The state machine against a small independent model: whatever arrives early, late, twice, out of order, is repeated
 * because a response was lost, or is interrupted by a crash, every message closes exactly once, by a legal path, with one report per step tried.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messagePlan, type MessagePlan } from '../../../test/model/message-plan.ts'
import { SimulatedMessage } from '../../../test/model/simulated-message.ts'
import { Simulation } from '../../../test/model/simulation.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { readAccountLedger } from '../../../test/support/fixtures.ts'
import { findGaps } from '../../records/ledger/check.ts'
import type { Database } from '../../platform/database/database.ts'

/** Increase for a longer run; ten take 50 s in parallel with other tests. */
const runs = Number(process.env.POSTERN_MODEL_RUNS ?? 4)
const messagesPerRun = 1_000
const rounds = 32
/** To repeat a failure, set POSTERN_MODEL_SEED to the seed of its output. */
const seed = Number(process.env.POSTERN_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31))

const { database } = await createTestDatabase()

test(
  `${runs * messagesPerRun} random histories end as the model allows (seed ${seed})`,
  { timeout: 300_000 },
  async () => {
    let accountId = 0
    let crashes = 0
    let lostReplies = 0
    const plans = fc.array(messagePlan, { minLength: messagesPerRun, maxLength: messagesPerRun, size: 'max' })
    const property = fc.asyncProperty(plans, fc.nat(), async (drawn: MessagePlan[], simulationSeed) => {
      accountId++
      const simulated = drawn.map((plan) => new SimulatedMessage(plan, accountId))
      const simulation = new Simulation(database, simulated, simulationSeed)
      await simulation.run(rounds)
      crashes += simulation.crashes
      lostReplies += simulation.lostReplies
      assert.deepEqual(await readAccountLedger(database, accountId), {
        accepted: messagesPerRun,
        final: messagesPerRun,
        inFlight: 0,
        gap: 0,
      })
      await checkReports(database, accountId, simulated)
      await checkAttempts(database, simulated)
    })
    // A failing message prints its own history; shrinking a thousand of them would take an hour, and printing them would be unreadable.
    const checked = await fc.check(property, { numRuns: runs, seed, endOnFailure: true })
    if (checked.failed) throw checked.errorInstance as Error
    assert.deepEqual(await findGaps(database), [])
    assert.ok(crashes > 5 * runs, `only ${crashes} crashes`)
    assert.ok(lostReplies > 5 * runs, `only ${lostReplies} lost replies`)
  },
)

async function checkReports(
  from: Database,
  accountId: number,
  simulated: readonly SimulatedMessage[],
): Promise<void> {
  const found = await from.query<{ count: number; last: number }>(
    'select count(*) as count, max(seq) as last from reports where account_id = $1',
    [accountId],
  )
  const expected = simulated.reduce((sum, { model }) => sum + model.codes.length, 0)
  assert.deepEqual(found.rows[0], { count: expected, last: expected })
}

interface Marks {
  readonly msg_key: string
  readonly step: number
  readonly part: number
  readonly receipts: number
  readonly late: boolean
  readonly delivered_twice: boolean
  readonly result: string | null
}

async function checkAttempts(from: Database, simulated: readonly SimulatedMessage[]): Promise<void> {
  const found = await from.query<Marks>(
    `select msg_key, step, part, receipts, late, delivered_twice, result from attempts where msg_key = any($1) order by step, part`,
    [simulated.map(({ msgKey }) => msgKey)],
  )
  const byMessage = Map.groupBy(found.rows, ({ msg_key }) => msg_key)
  for (const { msgKey, model, history } of simulated) {
    const rows = byMessage.get(msgKey) ?? []
    const printed = history.join('\n')
    const observed = rows.map(({ step, part, receipts, late }) => [step, part, receipts, late])
    const expected = [...model.attempts].flatMap(([step, parts]) =>
      parts.map(({ receipts, late }, index) => [step, index + 1, receipts, late]),
    )
    assert.deepEqual(observed, expected, printed)
    const delivered = rows.filter(({ result }) => result === 'delivered')
    const doubleDeliveries = rows.filter((row) => row.delivered_twice)
    const twice = delivered.some(({ late, step }) => late && delivered.some((other) => other.step > step))
    if (twice) assert.ok(doubleDeliveries.length > 0, `delivered twice and not marked\n${printed}`)
    for (const { result } of doubleDeliveries) assert.equal(result, 'delivered', printed)
  }
}
