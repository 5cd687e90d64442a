/** Batches that are paused, resumed and cancelled while their messages are everywhere: the API and a whole worker. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { createTestServer, type TestAccount } from '../../test/support/http/server.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import { waitFor } from '../../test/support/wait.ts'
import { upsertRoute } from '../carriers/routes/queries.ts'
import { findBatchGaps } from '../records/ledger/batches.ts'
import { findGaps } from '../records/ledger/check.ts'
import { startWorker } from './worker.ts'

const lines = 300
const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
// Slow, so that messages wait in every place.
const setBehaviour = (behaviour: string): Promise<unknown> =>
  upsertRoute(database, {
    id: 'texts',
    channels: ['sms'],
    protocol: 'sandbox',
    options: { behaviour },
    priority: 100,
    partsPerSecond: 60,
    enabled: true,
  })
await setBehaviour('by-number')
const worker = await startWorker(createTestRuntime({ database, broker, topology }))
addCleanup(() => worker.drain())
const api = await createTestServer({ database, broker, topology, admit: () => undefined })

const messageFlow = ['first', 'second'].map((text) => ({ sms: { from: '0234567890', text } }))
/** Every third recipient has no subscriber, so that its message continues with the second step. */
const recipients = Array.from({ length: lines }, (_, n) => ({
  to: `010${String(2_000 + n)}${n % 3 === 0 ? '0002' : '0001'}`,
}))
const timeoutMs = 120_000
/** Workers follow a change within two seconds; a busy machine may need longer. */
const followMs = 4_000

interface Batch {
  readonly batchId: string
  readonly state: string
  readonly counts: { readonly messages: number; readonly open: number; readonly cancelled: number }
  readonly outcomes: Readonly<Record<string, number>>
}

class TestBatch {
  readonly account: TestAccount
  readonly #id: string

  private constructor(account: TestAccount, id: string) {
    this.account = account
    this.#id = id
  }

  static async start(body: object = {}): Promise<TestBatch> {
    const account = await api.account()
    const response = await api.call(
      account,
      'POST',
      '/v1/batch',
      { messageFlow, recipients, start: true, ...body },
      { 'idempotency-key': 'key' },
    )
    assert.equal(response.body.code, 'A000', response.body.result)
    return new TestBatch(account, (response.body.data as Batch).batchId)
  }

  async act(action: 'pause' | 'resume' | 'cancel'): Promise<Batch> {
    const { body } = await api.call(this.account, 'POST', `/v1/batch/${this.#id}/${action}`)
    assert.equal(body.code, 'A000', body.result)
    return body.data as Batch
  }

  async read(): Promise<Batch> {
    const { body } = await api.call(this.account, 'GET', `/v1/batch/${this.#id}`)
    return body.data as Batch
  }

  /** Counts submissions that reached the connector. */
  submitted(after = new Date(0)): Promise<number> {
    return count(
      `attempts a join messages m on m.msg_key = a.msg_key
        where m.account_id = $1 and a.outcome <> 'refused' and a.submitted_at > $2`,
      this.account.id,
      after,
    )
  }

  untilSubmitted(messages: number): Promise<boolean> {
    return waitFor('submissions', async () => (await this.submitted()) >= messages, { timeoutMs })
  }

  async checkNothingSubmitted(since: Date): Promise<void> {
    await pause(followMs + 1_500)
    assert.equal(await this.submitted(new Date(since.getTime() + followMs)), 0)
  }

  /** Checks that every line is decided, and every message has one outcome and at most one report per step. */
  async checkEnd(state: 'ended' | 'cancelled'): Promise<Batch> {
    const batch = await waitFor(
      `the batch to be ${state}`,
      async () => {
        const read = await this.read()
        return read.state === state && read.counts.open === 0 ? read : undefined
      },
      { timeoutMs },
    )
    const { messages, cancelled } = batch.counts
    assert.equal(messages + cancelled, lines)
    const outcomes = Object.values(batch.outcomes).reduce((sum, count) => sum + count, 0)
    assert.equal(outcomes, messages)
    const { id } = this.account
    assert.equal(await count('messages where account_id = $1', id), messages)
    assert.equal(await count('waiting where account_id = $1', id), 0)
    const reports = `reports where account_id = $1`
    assert.equal(await count(`(select distinct msg_key from ${reports}) reported`, id), messages)
    assert.equal(
      await count(`(select from ${reports} group by msg_key, step having count(*) > 1) twice`, id),
      0,
    )
    assert.deepEqual(await findGaps(database), [])
    assert.deepEqual(await findBatchGaps(database), [])
    return batch
  }
}

async function count(sql: string, ...values: unknown[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*)::int as n from ${sql}`, values)
  return rows[0]!.n
}

test('a paused batch submits nothing, and continues once it is resumed', async () => {
  const batch = await TestBatch.start()
  await batch.untilSubmitted(30)
  await batch.act('pause')
  await batch.checkNothingSubmitted(new Date())
  assert.ok((await batch.submitted()) < lines)
  assert.equal((await batch.act('resume')).state, 'running')
  const { outcomes } = await batch.checkEnd('ended')
  assert.deepEqual(Object.values(outcomes).toSorted(), [lines / 3, (lines / 3) * 2])
})

test('a cancelled batch creates no further message', async () => {
  const batch = await TestBatch.start({ speed: 20 })
  await batch.untilSubmitted(20)
  await batch.act('cancel')
  await batch.checkNothingSubmitted(new Date())
  const { counts, outcomes } = await batch.checkEnd('cancelled')
  assert.ok(counts.cancelled > 0)
  assert.ok(outcomes['10000']! > 0, 'messages that were submitted have their own reports')
})

test('waiting messages of a cancelled batch end while their carrier is unreachable', async () => {
  const batch = await TestBatch.start()
  await batch.untilSubmitted(10)
  await setBehaviour('unreachable')
  await batch.act('cancel')
  await waitFor('the end of waiting messages', async () => (await batch.read()).outcomes['90010'], {
    timeoutMs,
  })
  // The queue of the route keeps its messages until the carrier is connected again.
  await setBehaviour('by-number')
  await batch.checkEnd('cancelled')
})

test('batches that are paused at random moments end with one outcome per message', async () => {
  const end = async (then: 'resume' | 'cancel'): Promise<void> => {
    const batch = await TestBatch.start()
    await pause(Math.random() * 3_000)
    await batch.act('pause').catch(() => undefined)
    await pause(Math.random() * 2_000)
    await batch.act(then).catch(() => undefined)
    await batch.checkEnd(then === 'cancel' ? 'cancelled' : 'ended')
  }
  await Promise.all([end('resume'), end('cancel')])
})
