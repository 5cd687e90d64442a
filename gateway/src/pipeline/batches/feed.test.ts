import assert from 'node:assert/strict'
import { afterEach, beforeEach, suite, test } from 'node:test'
import { createLines, insertRunningBatch } from '../../../test/support/batch-lines.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createProxy, type Proxy } from '../../../test/support/engines/proxy.ts'
import { createAccount, routeId, smsStep } from '../../../test/support/fixtures.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { Problem } from '../../contract/problem.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { clock } from '../../platform/time/clock.ts'
import { findBatchGaps } from '../../records/ledger/batches.ts'
import { findGaps } from '../../records/ledger/check.ts'
import { readMsUntilDue } from '../../records/batches/work.ts'
import { closeMessages } from '../../records/messages/close.ts'
import type { DraftCountResult } from '../../trust/abuse/draft-counting.ts'
import { createProgress, processNextBatch, type BatchesContext } from './batches.ts'

const { database, url } = await createTestDatabase()
const accountId = await createAccount(database, 'shop')

let counted = 0
let countDraft: (to: string) => DraftCountResult = () => () => undefined
const uncount = (): void => void counted--
beforeEach(() => {
  counted = 0
  countDraft = () => {
    counted++
    return uncount
  }
})
afterEach(async () => {
  await database.query('truncate batches, batch_outcomes, messages, in_flight, waiting, ledger cascade')
})

const route = { id: routeId, routeId } as never
const context: BatchesContext = {
  database,
  judge: (_batch, lines) =>
    Promise.resolve(
      lines.map(({ to }) =>
        to === 'wrong' ? { code: 'A306' as const } : { draft: { to, steps: [smsStep] } },
      ),
    ),
  rulesAgeMs: () => -Infinity,
  counting: { countDraft: (_account, { to }) => Promise.resolve(countDraft(to)) },
  router: { choose: () => ({ route, reason: 'test' }) },
  getBlock: () => undefined,
  listStoppedBatches: () => new Map(),
  cell: '00',
  timeZone: 'Asia/Seoul',
  stepTtlSeconds: 3_600,
  metrics: testMetrics(),
  log: silentLog,
}
const processNext = (changes: Partial<BatchesContext> = {}): Promise<boolean> =>
  processNextBatch({ ...context, ...changes }, 'running')

interface Row {
  readonly state: string
  readonly lines: number
  readonly duplicates: number
  readonly refused: number
  readonly cancelled: number
  readonly messages: number
  readonly codes: object
  readonly nextAt: Date
}
async function read(id: number): Promise<Row> {
  const { rows } = await database.query<Row>(
    `select state, lines, duplicates, refused, cancelled, messages, codes, next_at as "nextAt" from batches where id = $1`,
    [id],
  )
  return rows[0]!
}
async function list<T>(sql: string): Promise<T[]> {
  return (await database.query<{ value: T }>(`select ${sql}`)).rows.map(({ value }) => value)
}
const recipients = (): Promise<string[]> => list('recipient as value from messages order by recipient')
const closeAll = async (): Promise<void> => {
  const at = clock.date()
  const keys = await list<string>('msg_key as value from in_flight')
  await closeMessages(
    database,
    keys.map((msgKey) => ({ msgKey, step: 1, try: 1, cause: 'delivered', parts: 1, sentAt: at, at })),
  )
}
const secondsUntil = (at: Date): number => (at.getTime() - Date.now()) / 1_000

/** Checks that every line has one message, and that no message exists without a line. */
async function checkExactlyOnce(lines: number): Promise<void> {
  assert.deepEqual(
    await recipients(),
    createLines(lines).map(({ to }) => to),
  )
  const keys = await list<string[]>('msg_keys as value from batch_pages order by part, page')
  assert.deepEqual(keys.flat().toSorted(), await list('msg_key as value from messages order by msg_key'))
  assert.deepEqual(await findGaps(database), [])
  assert.deepEqual(await findBatchGaps(database), [])
}

suite('messages', () => {
  test('wait for their route in the lane bulk, and the batch ends with the last of them', async () => {
    const id = await insertRunningBatch(database, accountId)
    assert.equal(await processNext(), true)
    await checkExactlyOnce(3)
    assert.deepEqual(
      (await database.query('select distinct route_id, lane, reason, step, try, parts from waiting')).rows,
      [{ route_id: routeId, lane: 'bulk', reason: 'backlog', step: 1, try: 1, parts: 1 }],
    )
    assert.deepEqual(await list('distinct batch_id as value from in_flight'), [id])
    await database.query('update batches set next_at = now()')
    await processNext()
    assert.equal((await read(id)).state, 'running')
    await closeAll()
    // These rows cancel each other out; the end of the batch merges all rows of a report code.
    await database.query(
      `insert into batch_outcomes (batch_id, report_code, messages) values ($1, '10000', -1), ($1, '10000', 1)`,
      [id],
    )
    await database.query('update batches set next_at = now()')
    await processNext()
    assert.equal((await read(id)).state, 'ended')
    assert.deepEqual((await database.query('select report_code, messages from batch_outcomes')).rows, [
      { report_code: '10000', messages: 3 },
    ])
    assert.deepEqual(await findBatchGaps(database), [])
    assert.equal(await processNext(), false)
  })

  test('do not exist for lines that are duplicates or refused', async () => {
    const pages = [[{ to: '01010000000' }, { to: 'x' }, { to: 'wrong' }, { to: '01010000001' }]]
    const id = await insertRunningBatch(database, accountId, { pages, codes: { 1: 'duplicate' } })
    countDraft = (to) => (to === '01010000001' ? new Problem('A343', 'Cap reached') : uncount)
    await processNext()
    assert.partialDeepStrictEqual(await read(id), {
      lines: 4,
      duplicates: 1,
      refused: 2,
      cancelled: 0,
      messages: 1,
      codes: { A306: 1, A343: 1 },
    })
    assert.deepEqual(await list('codes as value from batch_pages'), [
      { 1: 'duplicate', 2: 'A306', 3: 'A343' },
    ])
    const [keys] = await list<string[]>('msg_keys as value from batch_pages')
    assert.deepEqual(
      keys!.map((key) => key !== ''),
      [true, false, false, false],
    )
  })

  test('without a route they are placed by the outbox, and suspicious ones wait for an operator', async () => {
    await insertRunningBatch(database, accountId, { pages: [createLines(2)] })
    let first = true
    await processNext({
      router: { choose: () => null },
      counting: {
        countDraft(_account, _draft, hold) {
          if (first) hold('prefix-velocity')
          first = false
          return Promise.resolve(uncount)
        },
      },
    })
    assert.deepEqual(
      (
        await database.query(
          `select route_id, reason, rule, release_at > now() + interval '1 year' as suspended from waiting order by reason`,
        )
      ).rows,
      [
        { route_id: '', reason: 'owed', rule: null, suspended: false },
        { route_id: '', reason: 'rule', rule: 'prefix-velocity', suspended: true },
      ],
    )
  })
})

suite('a line that the rules refuse', () => {
  const wrong = [[{ to: 'wrong' }, ...createLines(2)]]
  const start = (ago: string): Promise<unknown> =>
    database.query(
      `update batches set started_at = now() - $1::interval, changed_at = now() - $1::interval`,
      [ago],
    )

  test('is judged again while the rules are older than the start of its batch', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: wrong })
    await start('1 second')
    await processNext({ rulesAgeMs: () => 1_500 })
    assert.partialDeepStrictEqual(await read(id), { messages: 0, refused: 0 })
    await database.query('update batches set next_at = now()')
    await processNext({ rulesAgeMs: () => 300 })
    assert.partialDeepStrictEqual(await read(id), { messages: 2, refused: 1 })
  })

  test('is judged again while the rules are older than its check', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: wrong })
    await database.query(`update batches set state = 'checking'`)
    await start('1 second')
    await processNextBatch({ ...context, rulesAgeMs: () => 1_500 }, 'checking')
    assert.partialDeepStrictEqual(await read(id), { refused: 0 })
    await database.query('update batches set next_at = now()')
    await processNextBatch({ ...context, rulesAgeMs: () => 300 }, 'checking')
    assert.partialDeepStrictEqual(await read(id), { refused: 1 })
  })

  test('is refused if the rules cannot be read for ten seconds', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: wrong })
    await start('11 seconds')
    await processNext({ rulesAgeMs: () => 60_000 })
    assert.partialDeepStrictEqual(await read(id), { messages: 2, refused: 1 })
  })
})

suite('every line has exactly one message', () => {
  const pages = [createLines(300), createLines(200, 300)]

  test('with several workers on one batch', async () => {
    await insertRunningBatch(database, accountId, { pages })
    const work = async (): Promise<void> => {
      while ((await list<number>('count(*) as value from messages'))[0]! < 500) await processNext()
    }
    await Promise.all(Array.from({ length: 4 }, work))
    await checkExactlyOnce(500)
  })

  test('if a transaction fails; caps count no line of it', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: [createLines(10)] })
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise division_by_zero; end $$;
      create trigger refuse before insert on waiting for each row execute function refuse()`)
    assert.equal(await processNext(), true)
    assert.equal(counted, 0)
    assert.deepEqual(await recipients(), [])
    assert.ok(secondsUntil((await read(id)).nextAt) > 2)
    await database.query('drop trigger refuse on waiting; update batches set next_at = now()')
    await processNext()
    assert.equal(counted, 10)
    await checkExactlyOnce(10)
  })

  test('if PostgreSQL refuses the commit; caps count no line of it', async () => {
    await insertRunningBatch(database, accountId, { pages: [createLines(10)] })
    await database.query(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin raise division_by_zero; end $$;
      create constraint trigger refuse_commit after update on batch_pages
        deferrable initially deferred for each row execute function refuse_commit()`)
    await processNext()
    assert.equal(counted, 0)
    await database.query('drop trigger refuse_commit on batch_pages; update batches set next_at = now()')
    await processNext()
    assert.equal(counted, 10)
    await checkExactlyOnce(10)
  })

  test('if a line cannot be counted now', async () => {
    await insertRunningBatch(database, accountId, { pages: [createLines(10)] })
    const count = countDraft
    countDraft = (to) => (to.endsWith('5') ? new Problem('A920', 'Service busy', 1) : count(to))
    await processNext()
    assert.equal(counted, 0)
    assert.deepEqual(await recipients(), [])
    countDraft = count
    await database.query('update batches set next_at = now()')
    await processNext()
    await checkExactlyOnce(10)
  })

  for (const isCommitted of [true, false])
    test(`if the connection is lost ${isCommitted ? 'after' : 'before'} the commit`, async () => {
      await insertRunningBatch(database, accountId, { pages: [createLines(10)] })
      const proxy = await createProxy(url)
      const distant = openDatabase(proxy.url, silentLog, { connections: 1 })
      addCleanup(() => distant.end())
      await loseResponseOfCommit(distant, proxy, isCommitted)
      await waitFor('the end of the transaction', async () => {
        const { rowCount } = await database.query('select from batches for update skip locked')
        return rowCount === 1
      })
      assert.equal((await recipients()).length, isCommitted ? 10 : 0)
      await database.query('update batches set next_at = now()')
      while ((await list<number>('count(*) as value from messages'))[0]! < 10) await processNext()
      await processNext()
      await checkExactlyOnce(10)
    })
})

/** Cuts the connection while PostgreSQL commits, or so that it cannot. */
async function loseResponseOfCommit(distant: Database, proxy: Proxy, isCommitted: boolean): Promise<void> {
  await database.query(`
    create or replace function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
    create constraint trigger wait_at_commit after update on batch_pages
      deferrable initially deferred for each row execute function wait_at_commit()`)
  const holder = await database.connect()
  try {
    await holder.query('select pg_advisory_lock(1)')
    const processing = processNext({ database: distant }).catch(() => undefined)
    const backend = await waitFor('the commit', async () => {
      const { rows } = await database.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows[0]?.pid
    })
    proxy.mute()
    if (!isCommitted) await database.query('select pg_terminate_backend($1)', [backend])
    await holder.query('select pg_advisory_unlock(1)')
    if (isCommitted) await waitFor('the effect', async () => (await recipients()).length > 0)
    proxy.cut()
    proxy.unmute()
    await processing
  } finally {
    holder.release()
  }
  await database.query('drop trigger wait_at_commit on batch_pages')
}

suite('the time of messages', () => {
  test('follows the speed', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: [createLines(1_000)], speed: 20 })
    await processNext()
    const first = (await read(id)).messages
    assert.ok(first >= 20 && first < 40, `those of a second, and of the delay of this test: ${first}`)
    const waitSeconds = secondsUntil((await read(id)).nextAt)
    assert.ok(waitSeconds > 0 && waitSeconds <= 1, String(waitSeconds))
    assert.ok((await readMsUntilDue(database)).running! <= waitSeconds * 1_000)
    assert.equal(await processNext(), false)
    await database.query(`update batches set next_at = now() - interval '1 minute'`)
    await processNext()
    const late = (await read(id)).messages - first
    assert.ok(late > 20, `a late batch creates the messages of more than a second together: ${late}`)
    while (await processNext());
    const caughtUp = (await read(id)).messages - first
    assert.ok(caughtUp >= 600 && caughtUp < 700, `a late batch makes up for 30 seconds: ${caughtUp}`)
  })

  test('comes in turn for each account, however many batches another one has', async () => {
    const many = await Promise.all(
      [1, 2, 3, 4].map((nth) =>
        insertRunningBatch(database, accountId, { pages: [createLines(1_000, nth * 1_000)] }),
      ),
    )
    const other = await createAccount(database, 'with-one-batch')
    const one = await insertRunningBatch(database, other, { pages: [createLines(1_000, 9_000)] })
    await database.query(`update batches set next_at = now() - interval '1 minute' where id = any($1)`, [
      many,
    ])
    const progress = createProgress()
    for (let n = 0; n < 6; n++) await processNextBatch(context, 'running', progress)
    const rows = await Promise.all(many.map((id) => read(id)))
    const ofMany = rows.reduce((sum, { messages }) => sum + messages, 0)
    assert.ok((await read(one)).messages >= ofMany && ofMany > 0, `${ofMany} of four batches`)
  })

  test('is within the hours', async () => {
    const inSeoul = (minutes: number): string =>
      new Date(Date.now() + (540 + minutes) * 60_000).toISOString().slice(11, 16)
    const [from, to] = [inSeoul(120), inSeoul(180)]
    if (from < to) {
      const id = await insertRunningBatch(database, accountId, { hours: [from, to] })
      await processNext()
      assert.deepEqual(await recipients(), [])
      const waitSeconds = secondsUntil((await read(id)).nextAt)
      // The hours begin later, but a batch is read again after a minute at most.
      assert.ok(waitSeconds > 50 && waitSeconds <= 60, String(waitSeconds))
    }
    await insertRunningBatch(database, accountId, { hours: ['00:00', '24:00'] })
    await processNext()
    assert.equal((await recipients()).length, 3)
  })

  test('is before the end; later lines are cancelled', async () => {
    const id = await insertRunningBatch(database, accountId, { endBy: new Date(Date.now() - 1_000) })
    await processNext()
    assert.deepEqual(await recipients(), [])
    const { state, cancelled } = await read(id)
    assert.deepEqual({ state, cancelled }, { state: 'ended', cancelled: 3 })
    assert.deepEqual(await findBatchGaps(database), [])
  })

  test('is after the quiet hours of each line', async () => {
    const pages = [[{ to: '01010000000' }, { to: 'wrong' }, { to: 'asleep' }, { to: '01010000001' }]]
    const id = await insertRunningBatch(database, accountId, { pages })
    const judge: BatchesContext['judge'] = async (batch, lines) =>
      (await context.judge(batch, lines)).map((result, index) =>
        lines[index]!.to === 'asleep' ? { code: 'A341' } : result,
      )
    const counts = async (): Promise<object> => {
      const { refused, messages, codes } = await read(id)
      return { refused, messages, codes }
    }
    await processNext({ judge })
    assert.deepEqual(await counts(), { refused: 1, messages: 1, codes: { A306: 1 } })
    await processNext({ judge })
    assert.deepEqual(await counts(), { refused: 1, messages: 1, codes: { A306: 1 } })
    assert.ok(secondsUntil((await read(id)).nextAt) > 30)
    await database.query('update batches set next_at = now()')
    await processNext()
    assert.equal((await read(id)).messages, 3)
  })

  test('is not decided by quiet hours during the check', async () => {
    const id = await insertRunningBatch(database, accountId)
    await database.query(`update batches set state = 'checking'`)
    const judge: BatchesContext['judge'] = (_batch, lines) =>
      Promise.resolve(lines.map(() => ({ code: 'A341' as const })))
    while ((await read(id)).state === 'checking') await processNextBatch({ ...context, judge }, 'checking')
    assert.partialDeepStrictEqual(await read(id), { state: 'ready', refused: 0, codes: {} })
  })

  test('waits while the clock of PostgreSQL may be wrong', async () => {
    const id = await insertRunningBatch(database, accountId, { endBy: new Date(Date.now() - 1_000) })
    const { maxSkewMs } = clock
    clock.maxSkewMs = -1
    try {
      await processNext()
    } finally {
      clock.maxSkewMs = maxSkewMs
    }
    assert.partialDeepStrictEqual(await read(id), { state: 'running', cancelled: 0 })
    assert.ok(secondsUntil((await read(id)).nextAt) <= 5)
  })

  test('does not stay in the future after the clock was put back', async () => {
    const id = await insertRunningBatch(database, accountId, { pages: [createLines(40)], speed: 20 })
    const delay = (start: string): Promise<unknown> =>
      database.query(`update batches set next_at = now() + interval '1 day', start_at = ${start}`)
    await delay(`now() + interval '1 day'`)
    assert.equal(await processNext(), false, 'the client has set a later start')
    assert.ok((await readMsUntilDue(database)).running! > 86_000_000)
    await delay('null')
    assert.equal((await readMsUntilDue(database)).running, 0)
    await processNext()
    assert.equal((await read(id)).messages, 20)
    assert.ok(secondsUntil((await read(id)).nextAt) <= 1)
  })

  test('is checked at increasing intervals until the last report', async () => {
    const id = await insertRunningBatch(database, accountId)
    await processNext()
    for (const [idle, atLeast] of [
      ['20 seconds', 19],
      ['1 hour', 55],
    ] as const) {
      await database.query(`update batches set next_at = now(), changed_at = now() - $1::interval`, [idle])
      await processNext()
      const waitSeconds = secondsUntil((await read(id)).nextAt)
      assert.ok(waitSeconds > atLeast && waitSeconds <= 60, String(waitSeconds))
    }
  })

  test('waits while the account is blocked', async () => {
    const id = await insertRunningBatch(database, accountId)
    await processNext({ getBlock: () => 'hold' })
    assert.deepEqual(await recipients(), [])
    assert.ok(secondsUntil((await read(id)).nextAt) > 3)
  })

  test('waits while too many messages of the batch wait, but not for those of others', async () => {
    const [first, second] = [createLines(1_000), createLines(1_000, 1_000)]
    const id = await insertRunningBatch(database, accountId, {
      pages: [first, second, createLines(100, 2_000)],
    })
    const progress = createProgress()
    for (let n = 0; n < 40 && (await read(id)).messages < 2_000; n++)
      await processNextBatch(context, 'running', progress)
    assert.equal((await read(id)).messages, 2_000)
    await processNext()
    assert.equal((await read(id)).messages, 2_000)
    const other = await insertRunningBatch(database, accountId)
    await processNext()
    assert.equal((await read(other)).messages, 3)
    await database.query('delete from waiting where msg_key in (select msg_key from waiting limit 200)')
    await database.query(`update batches set next_at = now() - interval '1 hour' where id = $1`, [id])
    await processNext()
    assert.ok((await read(id)).messages > 2_000)
  })
})
