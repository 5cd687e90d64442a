import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { insertBlock } from '../../identity/accounts/blocks.ts'
import {
  createAccount,
  isInFlight,
  readAccountLedger,
  recordOne,
  reportCodes,
  sender,
} from '../../../test/support/fixtures.ts'
import type { RichStep, Step, TextStep } from '../../channels/channel.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import type { EndedStep } from '../../records/messages/close.ts'
import { endSteps } from './end-steps.ts'

const { database } = await createTestDatabase()
const stepTtlSeconds = 3_600
const rcs: RichStep = {
  channel: 'rcs',
  content: { from: sender, formatId: 'SS000000', content: { standalone: { text: 'hello' } } },
  ttlSeconds: 40,
}
const mms: RichStep = { channel: 'mms', content: { from: sender, text: 'hello' } }
const sms: TextStep = { channel: 'sms', from: sender, text: 'hello' }
const sentAt = new Date('2026-01-02T03:04:05Z')
const at = new Date('2026-01-02T03:04:09Z')

const toEnd = (key: StepKey, overrides: Partial<EndedStep> = {}): EndedStep => ({
  ...key,
  cause: 'unsupported',
  parts: 1,
  sentAt,
  at,
  ...overrides,
})
interface Ends {
  readonly codes: readonly string[]
  readonly advanced: readonly string[]
  readonly ended: ReadonlySet<string>
}
const nothing: Ends = { codes: [], advanced: [], ended: new Set() }

const end = async (...steps: EndedStep[]): Promise<Ends> => {
  const { closed, continued } = await inTransaction(database, (transaction) =>
    endSteps(transaction, steps, stepTtlSeconds),
  )
  return {
    codes: closed.map(({ code }) => code),
    advanced: continued.map(({ msgKey }) => msgKey),
    ended: new Set([...closed.map(({ step }) => step), ...continued].map(stepId)),
  }
}
const flow = (accountId: number, ...steps: Step[]): Promise<StepKey> =>
  recordOne(database, { accountId, ref: 'order 7', steps })
const withStep = (key: StepKey, step: number): StepKey => ({ ...key, step })
const readRow = async (key: StepKey): Promise<Record<string, unknown> | undefined> => {
  const found = await database.query<Record<string, unknown>>('select * from in_flight where msg_key = $1', [
    key.msgKey,
  ])
  return found.rows[0]
}
const countWaiting = async (key: StepKey): Promise<number> => {
  const found = await database.query('select from waiting where msg_key = $1', [key.msgKey])
  return found.rowCount ?? 0
}

suite('a failed step of a blocked account', () => {
  const createBlockedAccount = async (name: string, backlog: 'close' | 'hold'): Promise<number> => {
    const accountId = await createAccount(database, name)
    await insertBlock(database, name, createTestAuditContext(), { backlog })
    return accountId
  }

  test('closes the message with its own outcome and starts no other step', async () => {
    const key = await flow(await createBlockedAccount('closing', 'close'), rcs, sms)
    const { advanced, codes } = await end(toEnd(key, { state: 'unclaimed' }))
    assert.deepEqual([advanced, codes], [[], ['33101']])
    assert.deepEqual(await reportCodes(database, key.msgKey), ['33101'])
    assert.equal(await countWaiting(key), 0)
  })

  test('starts the next step if the messages of the account are held', async () => {
    const key = await flow(await createBlockedAccount('holding', 'hold'), rcs, sms)
    assert.deepEqual((await end(toEnd(key))).advanced, [key.msgKey])
  })

  test('closes the message once if the block failed it', async () => {
    const key = await flow(121, rcs, sms)
    const stopped = toEnd(key, { cause: 'account-stopped', state: 'unclaimed' })
    assert.deepEqual((await end(stopped)).codes, ['90011'])
    assert.deepEqual(await end(stopped), nothing)
    assert.deepEqual(await reportCodes(database, key.msgKey), ['90011'])
  })
})

suite('a failed step with another after it', () => {
  test('puts the next step into the lane of its content for the outbox', async () => {
    const laneAfter = async (next: Step): Promise<unknown> => {
      const key = await flow(100, rcs, next)
      await end(toEnd(key))
      const found = await database.query<{ lane: string }>('select lane from waiting where msg_key = $1', [
        key.msgKey,
      ])
      return found.rows[0]?.lane
    }
    assert.equal(await laneAfter({ ...sms, ttlSeconds: 60 }), 'urgent')
    assert.equal(await laneAfter(sms), 'normal')
    assert.equal(await laneAfter({ ...sms, text: '(광고) hello' }), 'bulk')
    // The lane setting of the account counts as well.
    await database.query(
      `insert into accounts (id, client_id, name, lane)
       overriding system value values (100, 'bulk', 'bulk', 'bulk')`,
    )
    assert.equal(await laneAfter({ ...sms, ttlSeconds: 60 }), 'bulk')
    assert.equal(await laneAfter(sms), 'bulk')
  })

  test('starts the next step, keeps its own result and adds the job to the outbox', async () => {
    const key = await flow(101, rcs, sms)
    await database.query(`update in_flight set state = 'claimed', try = 3 where msg_key = $1`, [key.msgKey])
    const before = Date.now()
    const third = { ...key, try: 3 }
    assert.deepEqual(await end(toEnd(third)), {
      codes: [],
      advanced: [key.msgKey],
      ended: new Set([stepId(third)]),
    })
    const { due_at: dueAt, ...row } = (await readRow(key))!
    assert.deepEqual(row, {
      msg_key: key.msgKey,
      account_id: 101,
      channel: 'sms',
      msg_type: 'SM',
      step: 2,
      steps: 2,
      try: 1,
      state: 'unclaimed',
      ref: 'order 7',
      payment_code: null,
      claim_token: null,
      claim_route: null,
      claim_login: null,
      batch_id: null,
      fenced_tokens: null,
      recipient_index: null,
      senders: null,
      results: [
        {
          step: 1,
          channel: 'rcs',
          msgType: 'RS',
          cause: 'unsupported',
          parts: 1,
          sentAt: sentAt.toISOString(),
          at: at.toISOString(),
        },
      ],
    })
    const dueIn = (dueAt as Date).getTime() - before
    assert.ok(dueIn >= stepTtlSeconds * 1000 && dueIn < stepTtlSeconds * 1000 + 10_000, `${dueIn} ms`)
    assert.equal(await countWaiting(key), 1)
    assert.deepEqual(await reportCodes(database, key.msgKey), [])
    assert.deepEqual(await readAccountLedger(database, 101), { accepted: 1, final: 0, inFlight: 1, gap: 0 })
  })

  test('gives the next step the deadline that it states', async () => {
    const key = await flow(102, sms, { ...sms, ttlSeconds: 7 })
    await end(toEnd(key))
    const dueIn = ((await readRow(key))!.due_at as Date).getTime() - Date.now()
    assert.ok(dueIn > 0 && dueIn <= 7_000, `${dueIn} ms`)
  })

  test('is rolled back with its transaction', async () => {
    const key = await flow(103, rcs, sms)
    await assert.rejects(
      inTransaction(database, async (transaction) => {
        await endSteps(transaction, [toEnd(key)], stepTtlSeconds)
        throw new Error('the process is killed here')
      }),
    )
    assert.deepEqual([(await readRow(key))!.step, await countWaiting(key)], [1, 0])
  })
})

suite('the end of a message', () => {
  test('a delivered step closes the message, however many steps follow', async () => {
    const key = await flow(111, rcs, mms, sms)
    assert.deepEqual(await end(toEnd(key, { cause: 'delivered' })), {
      codes: ['10000'],
      advanced: [],
      ended: new Set([stepId(key)]),
    })
    assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
    assert.deepEqual([await isInFlight(database, key.msgKey), await countWaiting(key)], [false, 0])
  })

  test('writes one report for each step tried, in order, all with the key and the ref', async () => {
    const key = await flow(112, rcs, mms, sms)
    await end(toEnd(key))
    await end(toEnd(withStep(key, 2), { cause: 'spam' }))
    assert.deepEqual(await reportCodes(database, key.msgKey), [], 'nothing is reported before the end')
    const last = await end(toEnd(withStep(key, 3), { cause: 'phone-off' }))
    assert.deepEqual(last, { codes: ['22003'], advanced: [], ended: new Set([stepId(withStep(key, 3))]) })
    const { rows } = await database.query<Record<string, unknown>>(
      `select seq, step, service_type, msg_type, report_code, ref, sent_at, reported_at, account_id,
              count(*) over (partition by created_at) as together
         from reports where msg_key = $1 order by seq`,
      [key.msgKey],
    )
    const shared = { ref: 'order 7', sent_at: sentAt, reported_at: at, account_id: 112, together: 3 }
    assert.deepEqual(rows, [
      { seq: 1, step: 1, service_type: 'RCS', msg_type: 'RS', report_code: '33101', ...shared },
      { seq: 2, step: 2, service_type: 'MMS', msg_type: 'LM', report_code: '23012', ...shared },
      { seq: 3, step: 3, service_type: 'SMS', msg_type: 'SM', report_code: '22003', ...shared },
    ])
  })

  test('a flow of six steps runs to its end', async () => {
    const key = await flow(114, rcs, mms, sms, rcs, mms, sms)
    for (let step = 1; step < 6; step++) {
      assert.deepEqual((await end(toEnd(withStep(key, step)))).advanced, [key.msgKey])
    }
    assert.equal((await readRow(key))!.step, 6)
    assert.deepEqual((await end(toEnd(withStep(key, 6)))).codes, ['23010'])
    assert.deepEqual(await reportCodes(database, key.msgKey), [
      '33101',
      '23010',
      '23010',
      '33101',
      '23010',
      '23010',
    ])
    assert.deepEqual(await readAccountLedger(database, 114), { accepted: 1, final: 1, inFlight: 0, gap: 0 })
  })
})

suite('verdicts that arrive late, twice or together', () => {
  test('a verdict on an earlier step or another try has no effect, whatever its cause', async () => {
    const key = await flow(121, rcs, mms, sms)
    await end(toEnd(key))
    const before = await readRow(key)
    for (const cause of ['delivered', 'failed'] as const) {
      assert.deepEqual(await end(toEnd(key, { cause })), nothing)
      const otherTry = toEnd({ ...key, step: 2, try: 2 }, { cause })
      assert.deepEqual(await end(otherTry), nothing)
    }
    assert.deepEqual(await readRow(key), before)
  })

  test('a verdict on a later step has no effect', async () => {
    const key = await flow(122, rcs, mms, sms)
    assert.deepEqual(await end(toEnd(withStep(key, 2))), nothing)
    assert.equal((await readRow(key))!.step, 1)
  })

  test('many concurrent verdicts end a step once', async () => {
    const key = await flow(123, rcs, mms, sms)
    const results = await Promise.all(Array.from({ length: 8 }, () => end(toEnd(key))))
    assert.deepEqual(
      results.flatMap(({ advanced }) => advanced),
      [key.msgKey],
    )
    const row = (await readRow(key))!
    assert.deepEqual([row.step, (row.results as unknown[]).length], [2, 1])
  })

  test('one of concurrent delivered and failed verdicts wins', async () => {
    for (let round = 0; round < 10; round++) {
      const key = await flow(124, rcs, sms)
      const [good, bad] = await Promise.all([end(toEnd(key, { cause: 'delivered' })), end(toEnd(key))])
      assert.equal(good.codes.length + bad.advanced.length, 1)
      assert.equal(await isInFlight(database, key.msgKey), bad.advanced.length === 1)
    }
    assert.equal((await readAccountLedger(database, 124)).gap, 0)
  })

  test('a batch may contain messages that continue, that close and that were closed before', async () => {
    const [on, done, last, closed] = [
      await flow(125, rcs, sms),
      await flow(125, rcs, sms),
      await flow(125, sms),
      await flow(125, sms),
    ]
    await end(toEnd(closed))
    const { codes, advanced } = await end(
      toEnd(closed),
      toEnd(last, { cause: 'spam' }),
      toEnd(on),
      toEnd(done, { cause: 'delivered' }),
    )
    assert.deepEqual([[...codes].sort(), advanced], [['10000', '23012'], [on.msgKey]])
    assert.deepEqual(await readAccountLedger(database, 125), { accepted: 4, final: 3, inFlight: 1, gap: 0 })
  })
})
