/**
 * A step that may have been delivered: whether the next step of its flow starts is the choice of its account. However it
 * chooses, a message closes once, and the last report is its outcome.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  attempt,
  isInFlight,
  readAccountLedger,
  newAccount,
  receiptFor,
  recordOne,
  reportCodes,
  smsStep,
  verdict,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { immediateDeadlines } from '../../../test/support/pipeline/deadlines.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { uncertainFallbacks, type UncertainFallback } from '../../identity/accounts/account.ts'
import { insertAccount } from '../../identity/accounts/queries.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { settleBatch } from './batch.ts'
import { startDeadlines } from './deadlines.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const past = new Date(Date.now() - 1_000)
const settle = (job: SettleJob): Promise<unknown> =>
  settleBatch({ database, metrics, outbox: emptyOutbox }, [{ job, isStored: false }], testScope())

type Ending = (key: StepKey) => Promise<unknown>
const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const

/** How the first of two steps ends, the code of its report, and the settings with which the second one starts. */
const endings: Readonly<Record<string, readonly [Ending, string, readonly UncertainFallback[]]>> = {
  'no response to its submission and no receipt': [
    (key) => recordAttempts(database, [attempt(key, unknown)]),
    '99999',
    ['always'],
  ],
  'a receipt that leaves it open': [
    async (key) => {
      const row = attempt(key)
      await recordAttempts(database, [row])
      await settle(receiptFor(row, { result: 'failed', cause: 'outcome-unknown' }))
    },
    '99999',
    ['always'],
  ],
  'accepted, without a receipt': [
    (key) => recordAttempts(database, [attempt(key)]),
    '22000',
    ['always', 'after-timeout'],
  ],
  'never submitted': [() => Promise.resolve(), '22000', uncertainFallbacks],
  'a receipt that it expired': [
    async (key) => {
      const row = attempt(key)
      await recordAttempts(database, [row])
      await settle(receiptFor(row, { result: 'failed', cause: 'timeout' }))
    },
    '22000',
    uncertainFallbacks,
  ],
  refused: [(key) => settle(verdict(key, { cause: 'no-subscriber' })), '23001', uncertainFallbacks],
}

for (const uncertainFallback of uncertainFallbacks)
  test(`the second step starts after the endings that ${uncertainFallback} allows`, async () => {
    const accountId = await insertAccount(database, newAccount(uncertainFallback, { uncertainFallback }))
    const keys = new Map<string, StepKey>()
    for (const [name, [end]] of Object.entries(endings)) {
      const key = await recordOne(database, { accountId, steps: [smsStep, smsStep] })
      keys.set(name, key)
      await end(key)
    }
    // The first steps that have not ended yet reach their deadline.
    await database.query('update in_flight set due_at = $1 where account_id = $2 and step = 1', [
      past,
      accountId,
    ])
    const deadlines = startDeadlines({
      routes: { value: [] },
      outbox: emptyOutbox,
      database,
      metrics,
      log: silentLog,
      ...immediateDeadlines,
    })
    await waitFor('all first steps to end', async () => {
      const open = await database.query('select from in_flight where account_id = $1 and step = 1', [
        accountId,
      ])
      return open.rowCount === 0
    })
    await deadlines.stop()
    for (const [name, [, code, allowing]] of Object.entries(endings)) {
      const { msgKey } = keys.get(name)!
      const starts = allowing.includes(uncertainFallback)
      assert.equal(await isInFlight(database, msgKey), starts, name)
      assert.deepEqual(await reportCodes(database, msgKey), starts ? [] : [code], name)
    }
    const { accepted, final, inFlight, gap } = await readAccountLedger(database, accountId)
    assert.deepEqual([accepted, final + inFlight, gap], [keys.size, keys.size, 0])
  })
