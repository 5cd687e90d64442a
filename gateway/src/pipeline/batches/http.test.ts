import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type TestAccount, type TestResponse } from '../../../test/support/http/server.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { setCap } from '../../trust/abuse/protection.ts'
import { checkBatches } from '../../../test/support/pipeline/check-batches.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const batchLines = 5_000
const api = await createTestServer({ database, broker, topology, batchLines })
const account = await api.account()

interface Counts {
  readonly [name: string]: number
}
interface Batch {
  readonly batchId: string
  readonly state: string
  readonly ref?: string
  readonly counts: Counts
  readonly codes: Counts
}

const flow = [{ sms: { from: '0234567890', text: 'Dear #{name}' } }]
const words = { name: 'Minji' }
let keys = 0

const post = (path: string, body?: unknown, key?: string, who: TestAccount = account) =>
  api.call(who, 'POST', path, body, key === undefined ? {} : { 'idempotency-key': key })
const dataOf = (response: TestResponse): Batch => {
  assert.equal(response.status, 200, response.body.result)
  return response.body.data as Batch
}
const create = async (body: object = {}, who = account): Promise<Batch> =>
  dataOf(await post('/v1/batch', { messageFlow: flow, ...body }, `key-${++keys}`, who))
const act = (batchId: string, action: string) => post(`/v1/batch/${batchId}/${action}`)
const show = async (batchId: string): Promise<Batch> =>
  dataOf(await api.call(account, 'GET', `/v1/batch/${batchId}`))
const upload = (batchId: string, part: number | string, payload: string | Buffer, type = 'text/csv') =>
  api.inject({
    method: 'PUT',
    url: `/v1/batch/${batchId}/recipients/${part}`,
    headers: { authorization: `Bearer ${account.token}`, 'content-type': type },
    payload,
  })
const resultsOf = async (batchId: string): Promise<string[]> => {
  const response = await api.server.inject({
    method: 'GET',
    url: `/v1/batch/${batchId}/results`,
    headers: { authorization: `Bearer ${account.token}` },
  })
  assert.equal(response.statusCode, 200, response.body)
  assert.match(response.headers['content-type'] as string, /^text\/csv/)
  return response.body.trimEnd().split('\r\n')
}
const check = async (batchId: string): Promise<Batch> => {
  dataOf(await act(batchId, 'check'))
  await checkBatches(database, api.trust)
  return show(batchId)
}
const toCsv = (count: number, prefix = '0101'): string =>
  [
    'to,name',
    ...Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(7, '0')},Minji`),
  ].join('\n')
const codeOf = (response: TestResponse): [number, string] => [response.status, response.body.code]

suite('creation', () => {
  test('returns the batch as it was requested', async () => {
    const end = '2027-01-02T09:00:00+09:00'
    const ahead = new Date(Date.now() + 86_400_000).toISOString()
    const { body } = await post(
      '/v1/batch',
      {
        messageFlow: flow,
        ref: 'sale-11',
        startAt: ahead,
        endBy: end,
        speed: 50,
        hours: { from: '09:00', to: '20:00' },
        duplicates: 'keep',
      },
      'all-fields',
    )
    const { batchId, createdAt, startAt: shown, endBy, ...rest } = body.data as Record<string, unknown>
    assert.match(String(batchId), /^\d{17}[0-9A-Z]{15}$/)
    assert.equal(String(batchId).slice(0, 8), ahead.slice(0, 10).replaceAll('-', ''))
    assert.ok(Date.parse(String(createdAt)) <= Date.now())
    assert.equal(Date.parse(String(shown)), Math.floor(Date.parse(ahead) / 1_000) * 1_000)
    assert.equal(Date.parse(String(endBy)), Date.parse(end))
    assert.deepEqual(rest, {
      ref: 'sale-11',
      state: 'open',
      speed: 50,
      hours: { from: '09:00', to: '20:00' },
      duplicates: 'keep',
      counts: { lines: 0, waiting: 0, duplicate: 0, refused: 0, cancelled: 0, messages: 0, open: 0 },
      codes: {},
      outcomes: {},
    })
  })

  test('a repeated request finds the batch, another body under the same key does not', async () => {
    const body = { messageFlow: flow, recipients: [{ to: '01012345678', replaceWords: words }] }
    const [first, second] = await Promise.all([
      post('/v1/batch', body, 'repeated'),
      post('/v1/batch', body, 'repeated'),
    ])
    assert.equal(dataOf(first).batchId, dataOf(second).batchId)
    assert.equal(dataOf(first).counts.lines, 1)
    const other = await post('/v1/batch', { ...body, ref: 'x' }, 'repeated')
    assert.deepEqual(codeOf(other), [400, 'A021'])
    assert.equal((await database.query(`select from batches where idempotency_key = 'repeated'`)).rowCount, 1)
  })

  for (const [name, change, code] of [
    ['neither flow nor form', { messageFlow: undefined }, 'A300'],
    ['an unknown form', { messageFlow: undefined, messageForm: 'x' }, 'A250'],
    ['a wrong step', { messageFlow: [{ sms: { from: '0234567890' } }] }, 'A303'],
    ['an unknown field', { recipient: [] }, 'A300'],
    ['a start without recipients', { start: true }, 'A300'],
    ['a start too far ahead', { startAt: new Date(Date.now() + 61 * 86_400_000).toISOString() }, 'A300'],
    ['an end in the past', { endBy: '2026-01-01T00:00:00Z' }, 'A300'],
    ['hours that end before they begin', { hours: { from: '20:00', to: '09:00' } }, 'A300'],
    ['a wrong speed', { speed: 0 }, 'A300'],
    ['a wrong ref', { ref: 'x'.repeat(201) }, 'A305'],
    ['a wrong value', { recipients: [{ to: '010', replaceWords: { name: {} } }] }, 'A300'],
  ] as const) {
    test(`${name} is refused`, async () => {
      const response = await post(
        '/v1/batch',
        { messageFlow: flow, ...change },
        `wrong ${name}`.replaceAll(' ', '-'),
      )
      assert.deepEqual(codeOf(response), [400, code], response.body.result)
    })
  }

  test('the Idempotency-Key is required', async () => {
    assert.deepEqual(codeOf(await post('/v1/batch', { messageFlow: flow })), [400, 'A300'])
  })

  test('an account has at most 20 batches that have not ended', async () => {
    const busy = await api.account()
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push((await create({}, busy)).batchId)
    const body = { messageFlow: flow }
    assert.deepEqual(codeOf(await post('/v1/batch', body, 'the-21st', busy)), [400, 'A352'])
    await post(`/v1/batch/${ids[0]}/cancel`, undefined, undefined, busy)
    assert.deepEqual(codeOf(await post('/v1/batch', body, 'the-21st', busy)), [200, 'A000'])
    assert.deepEqual(codeOf(await post('/v1/batch', body, 'the-22nd', busy)), [400, 'A352'])
    // All its lines are decided and it only waits for reports, so it does not count.
    await database.query(`update batches set state = 'running', next_at = 'infinity' where batch_key = $1`, [
      ids[1],
    ])
    assert.deepEqual(codeOf(await post('/v1/batch', body, 'the-22nd', busy)), [200, 'A000'])
  })
})

suite('storage', () => {
  const noise = (lines: number): string =>
    [
      'to,name',
      ...Array.from(
        { length: lines },
        (_, n) => `0101${String(n).padStart(7, '0')},${randomBytes(500).toString('hex')}`,
      ),
    ].join('\n')
  const uploadFor = async (who: TestAccount, batchId: string, part: number, payload: string) => {
    const { body } = await api.inject({
      method: 'PUT',
      url: `/v1/batch/${batchId}/recipients/${part}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'text/csv' },
      payload,
    })
    return body.code
  }

  test('batches of an account occupy no more than its quota, in any state', async () => {
    const small = await api.account({ batchMegabytes: 1 })
    const { batchId } = await create({}, small)
    assert.equal(await uploadFor(small, batchId, 1, noise(1_750)), 'A000')
    const another = await create({}, small)
    assert.equal(await uploadFor(small, another.batchId, 1, noise(1_200)), 'A353')
    // Another account is not affected.
    assert.equal(await uploadFor(account, (await create()).batchId, 1, noise(1_200)), 'A000')
    await database.query(`update batches set state = 'ended', ended_at = now() where batch_key = $1`, [
      batchId,
    ])
    assert.equal(await uploadFor(small, another.batchId, 1, noise(1_200)), 'A353')
    const recipients = Array.from({ length: 28 }, () => ({
      to: '01012345678',
      replaceWords: { name: randomBytes(4_000).toString('hex') },
    }))
    const full = await post('/v1/batch', { messageFlow: flow, recipients }, 'full', small)
    assert.deepEqual(codeOf(full), [400, 'A353'])
  })

  test('a cancelled batch frees its recipients, and keeps the results of its lines', async () => {
    const small = await api.account({ batchMegabytes: 1 })
    for (let n = 0; n < 3; n++) {
      const { batchId } = await create({ ref: 'spring' }, small)
      assert.equal(await uploadFor(small, batchId, 1, noise(1_200)), 'A000')
      await post(`/v1/batch/${batchId}/cancel`, undefined, undefined, small)
      const stored = await database.query<{ bytes: number; pages: number }>(
        `select sum(pg_column_size(p.*)) + pg_column_size(b.*) as pages, b.bytes
           from batches b join batch_pages p on p.batch_id = b.id where batch_key = $1 group by b.*, b.bytes`,
        [batchId],
      )
      const { bytes, pages } = stored.rows[0]!
      assert.ok(pages <= bytes && bytes < 5_000, `${pages} ${bytes}`)
    }
  })

  test('the counted bytes are at least those that are stored', async () => {
    const { batchId } = await create()
    await upload(batchId, 1, `${noise(1_500)}\n123,b`)
    await check(batchId)
    const stored = await database.query<{ bytes: number; size: number }>(
      `select (select sum(pg_column_size(p.*)) from batch_pages p where p.batch_id = b.id)
              + (select sum(pg_column_size(p.*)) from batch_parts p where p.batch_id = b.id)
              + pg_column_size(b.*) as size, b.bytes
         from batches b where batch_key = $1`,
      [batchId],
    )
    const { bytes, size } = stored.rows[0]!
    assert.ok(size <= bytes && bytes < size * 1.2, `${size} ${bytes}`)
    await act(batchId, 'cancel')
  })

  test('long recipients and placeholders are refused', async () => {
    const { batchId } = await create()
    const to = '0'.repeat(41)
    for (const [payload, type] of [
      [`to\n${to}`, 'text/csv'],
      [`to,name\n01012345678,${'x'.repeat(8_189)}`, 'text/csv'],
      [`{"to":"${to}"}`, 'application/x-ndjson'],
      [`{"to":"01012345678","replaceWords":{"name":"${'x'.repeat(8_189)}"}}`, 'application/x-ndjson'],
    ] as const)
      assert.deepEqual(codeOf(await upload(batchId, 1, payload, type)), [400, 'A300'])
    assert.equal((await show(batchId)).counts.lines, 0)
    const longTo = { messageFlow: flow, recipients: [{ to }] }
    assert.deepEqual(codeOf(await post('/v1/batch', longTo, 'long-to')), [400, 'A306'])
    const replaceWords = { name: 'x'.repeat(8_189) }
    const longWords = { messageFlow: flow, recipients: [{ to: '01012345678', replaceWords }] }
    assert.deepEqual(codeOf(await post('/v1/batch', longWords, 'long-words')), [400, 'A300'])
    await act(batchId, 'cancel')
  })
})

suite('uploads', () => {
  test('CSV and JSON lines are stored as pages; a repeated part changes nothing', async () => {
    const { batchId } = await create()
    const csv = toCsv(1_500)
    for (let n = 0; n < 2; n++)
      assert.deepEqual((await upload(batchId, 1, csv)).body.data, { batchId, part: 1, lines: 1_500 })
    const json = `{"to":"01099999999","ref":"r-1","replaceWords":{"name":7}}\n\n{"to":"01088888888"}`
    const stored = await upload(batchId, 3, json, 'application/x-ndjson; charset=utf-8')
    assert.deepEqual(stored.body.data, { batchId, part: 3, lines: 2 })
    assert.deepEqual(codeOf(await upload(batchId, 1, toCsv(2))), [400, 'A021'])
    assert.equal((await show(batchId)).counts.lines, 1_502)
    const pages = await database.query<Record<'part' | 'page' | 'lines' | 'hashes', number>>(
      `select p.part, p.page, p.lines, cardinality(hashes) as hashes from batch_pages p join batches b on b.id = p.batch_id
        where b.batch_key = $1 order by part, page`,
      [batchId],
    )
    assert.deepEqual(
      pages.rows.map(({ part, page, lines, hashes }) => [part, page, lines, hashes]),
      [
        [1, 0, 1_000, 1_000],
        [1, 1, 500, 500],
        [3, 0, 2, 2],
      ],
    )
  })

  test('a page of long lines ends early, and the results number lines across pages', async () => {
    const { batchId } = await create()
    const text = 'x'.repeat(8_000)
    const recipients = Array.from({ length: 150 }, (_, n) => `01011110${String(n).padStart(3, '0')},${text}`)
    await upload(batchId, 1, ['to,name', ...recipients].join('\n'))
    await upload(batchId, 2, toCsv(1))
    const pages = await database.query<{ lines: number }>(
      `select p.lines from batch_pages p join batches b on b.id = p.batch_id where b.batch_key = $1 order by part, page`,
      [batchId],
    )
    assert.deepEqual(
      pages.rows.map(({ lines }) => lines),
      [66, 66, 18, 1],
    )
    assert.deepEqual(
      (await resultsOf(batchId)).slice(1).map((row) => row.split(',').slice(0, 2).join()),
      [...recipients.map((_, n) => `1,${n + 1}`), '2,1'],
    )
    await act(batchId, 'cancel')
  })

  for (const [name, payload, type, reason] of [
    ['a header without to', 'phone\n0101', 'text/csv', /line 1 must be a header/],
    [
      'a line with another number of fields',
      'to,name\n0101,a\n0102',
      'text/csv',
      /line 3 must have as many fields/,
    ],
    ['an open quote', 'to\n"0101', 'text/csv', /is not valid CSV/],
    ['a column that occurs twice', 'to,name,name\n0101,a,b', 'text/csv', /different name/],
    ['a header with a long name', `to,${'x'.repeat(65)}\n0101,a`, 'text/csv', /at most 64 characters/],
    [
      'a header that is too long',
      `to,${Array.from({ length: 40 }, (_, n) => `${n}`.padStart(60, 'x')).join()}\n0101${','.repeat(40)}`,
      'text/csv',
      /2048 in all/,
    ],
    ['a line that is no JSON', '{"to":"0101"}\n{"to"', 'application/x-ndjson', /line 2 must be an object/],
    ['a blank line before a wrong one', '{"to":"0101"}\n\n{"to"', 'application/x-ndjson', /line 3 must be/],
    [
      'a blank line before a wrong one that has an end',
      '\n{"to"\n',
      'application/x-ndjson',
      /line 2 must be/,
    ],
    ['a line with an unknown field', '{"to":"0101","text":"x"}', 'application/x-ndjson', /line 1 must be/],
    [
      'a value that is an object',
      '{"to":"0101","replaceWords":{"a\\nb":{}}}',
      'application/x-ndjson',
      /line 1/,
    ],
    ['an empty upload', 'to\n', 'text/csv', /has no lines/],
    ['invalid UTF-8', Buffer.from([0x74, 0x6f, 0x0a, 0xff]), 'text/csv', /must be UTF-8/],
    ['more lines than a batch may have', toCsv(batchLines + 1), 'text/csv', /at most 5000 lines/],
    ['an upload that is too large', `to\n${'0101234567\n'.repeat(1_600_000)}`, 'text/csv', /at most/],
    ['another content type', 'to\n0101', 'application/json', /Content-Type must be/],
  ] as const) {
    test(`${name} is refused, and nothing of it is stored`, async () => {
      const { batchId } = await create()
      const response = await upload(batchId, 1, payload, type)
      assert.equal(response.status, 400)
      assert.match(response.body.result, reason)
      assert.equal((await show(batchId)).counts.lines, 0)
      await act(batchId, 'cancel')
    })
  }

  test('a batch accepts no more lines than the setting allows', async () => {
    const { batchId } = await create()
    await upload(batchId, 1, toCsv(3_000))
    assert.deepEqual(codeOf(await upload(batchId, 2, toCsv(3_000, '0102'))), [400, 'A352'])
    assert.equal((await show(batchId)).counts.lines, 3_000)
    await act(batchId, 'cancel')
  })

  test('an unknown batch, and one of another account, accept nothing', async () => {
    const other = await create({}, await api.account())
    for (const id of [other.batchId, 'x'])
      assert.deepEqual(codeOf(await upload(id, 1, toCsv(1))), [404, 'A350'])
    assert.deepEqual(codeOf(await upload((await create()).batchId, 0, toCsv(1))), [400, 'A300'])
  })
})

suite('check', () => {
  test('finds duplicates across parts, and lines that a send would refuse', async () => {
    const { batchId } = await create()
    await upload(batchId, 2, 'to,name\n010-1234-5678,a\n01011112222,b')
    await upload(batchId, 1, 'to,name\n01012345678,a\n+821012345678,a\n123,b')
    await upload(
      batchId,
      3,
      '{"to":"01033334444"}\n{"to":"01033335555","replaceWords":{"name":"c"}}',
      'application/x-ndjson',
    )
    const { state, counts, codes } = await check(batchId)
    assert.equal(state, 'ready')
    assert.deepEqual(counts, {
      lines: 7,
      waiting: 3,
      duplicate: 2,
      refused: 2,
      cancelled: 0,
      messages: 0,
      open: 0,
    })
    assert.deepEqual(codes, { A303: 1, A306: 1 })
    assert.deepEqual(
      (await resultsOf(batchId)).map((row) => row.split(',').slice(0, 5).join(',')),
      [
        'part,line,ref,msgKey,code',
        '1,1,,,',
        '1,2,,,duplicate',
        '1,3,,,A306',
        '2,1,,,duplicate',
        '2,2,,,',
        '3,1,,,A303',
        '3,2,,,',
      ],
    )
    await act(batchId, 'cancel')
  })

  test('another upload opens the batch again, and the next check decides every line', async () => {
    const { batchId } = await create()
    await upload(batchId, 2, 'to,name\n01012345678,a\n123,b')
    assert.equal((await check(batchId)).counts.refused, 1)
    await upload(batchId, 1, 'to,name\n01012345678,a\n456,b')
    assert.equal((await show(batchId)).state, 'open')
    assert.deepEqual(
      (await resultsOf(batchId)).slice(1).map((row) => row.split(',')[4]),
      ['', '', '', ''],
    )
    const { state, counts, codes } = await check(batchId)
    assert.deepEqual([state, counts.duplicate, counts.refused, codes], ['ready', 1, 2, { A306: 2 }])
    await act(batchId, 'cancel')
  })

  test('duplicates are kept if the client requests it', async () => {
    const { batchId } = await create({ duplicates: 'keep' })
    await upload(batchId, 1, 'to,name\n01012345678,a\n01012345678,b')
    assert.deepEqual((await check(batchId)).counts.duplicate, 0)
    await act(batchId, 'cancel')
  })

  test('a batch without recipients is not checked', async () => {
    const { batchId } = await create()
    for (const action of ['check', 'start'])
      assert.deepEqual(codeOf(await act(batchId, action)), [400, 'A351'])
    await act(batchId, 'cancel')
  })
})

suite('states', () => {
  test('a batch is checked before it starts, and repeated requests change nothing', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString()
    const { batchId, state } = await create({
      startAt: ahead,
      start: true,
      recipients: [{ to: '01012345678', replaceWords: words }],
    })
    assert.equal(state, 'checking')
    await checkBatches(database, api.trust)
    for (const [action, expected] of [
      ['start', 'running'],
      ['resume', 'running'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['resume', 'running'],
      ['cancel', 'cancelled'],
      ['cancel', 'cancelled'],
    ] as const)
      assert.equal(dataOf(await act(batchId, action)).state, expected, action)
    const { counts } = await show(batchId)
    assert.deepEqual([counts.waiting, counts.cancelled], [0, 1])
    assert.deepEqual((await resultsOf(batchId)).slice(1), ['1,1,,,cancelled,,,,'])
    for (const action of ['start', 'pause', 'resume', 'check'])
      assert.deepEqual(codeOf(await act(batchId, action)), [400, 'A351'], action)
    assert.deepEqual(codeOf(await upload(batchId, 2, toCsv(1))), [400, 'A351'])
  })

  test('a start is refused if the lines exceed a cap of the account', async () => {
    const capped = await api.account()
    await setCap(database, capped.id, { period: 'day', class: 'all', max: 1 })
    await api.trust.cache.refresh()
    const recipients = ['01011110000', '01011110001'].map((to) => ({ to, replaceWords: words }))
    const { batchId } = await create({ recipients }, capped)
    const started = await post(`/v1/batch/${batchId}/start`, undefined, undefined, capped)
    assert.deepEqual(codeOf(started), [400, 'A343'])
    const refused = await post('/v1/batch', { messageFlow: flow, recipients, start: true }, 'capped', capped)
    assert.deepEqual(codeOf(refused), [400, 'A343'])
  })

  test('another account sees nothing of a batch', async () => {
    const { batchId } = await create()
    const other = await api.account()
    for (const path of ['', '/results'])
      assert.deepEqual(codeOf(await api.call(other, 'GET', `/v1/batch/${batchId}${path}`)), [404, 'A350'])
    assert.deepEqual(codeOf(await post(`/v1/batch/${batchId}/cancel`, undefined, undefined, other)), [
      404,
      'A350',
    ])
    await act(batchId, 'cancel')
  })

  test('an id that none can have is unknown', async () => {
    for (const id of ['x', '%00']) assert.deepEqual(codeOf(await act(id, 'pause')), [404, 'A350'])
  })
})

test('a request does not wait long for a worker that keeps the batch', async () => {
  const { batchId } = await create()
  await inTransaction(database, async (transaction) => {
    await transaction.query('select from batches where batch_key = $1 for update', [batchId])
    assert.deepEqual(codeOf(await act(batchId, 'cancel')), [503, 'A920'])
  })
  dataOf(await act(batchId, 'cancel'))
})

suite('list', () => {
  test('returns pages, newest first, with filters', async () => {
    const who = await api.account()
    const list = async (query: string) => {
      const { body } = await api.call(who, 'GET', `/v1/batch?${query}`)
      assert.equal(body.code, 'A000', body.result)
      return body.data as { batches: Batch[]; next?: string }
    }
    const created = [
      await create({ ref: 'a' }, who),
      await create({ ref: 'b' }, who),
      await create({ ref: 'a' }, who),
    ]
    const [first, second, third] = created.map(({ batchId }) => batchId)
    const page = await list('limit=2')
    assert.deepEqual([page.batches.map(({ batchId }) => batchId), page.next], [[third, second], second])
    const rest = await list(`limit=2&after=${page.next}`)
    assert.deepEqual([rest.batches.map(({ batchId }) => batchId), rest.next], [[first], undefined])
    assert.deepEqual(
      (await list('ref=a')).batches.map(({ batchId }) => batchId),
      [third, first],
    )
    assert.deepEqual((await list('state=running')).batches, [])
    for (const query of ['state=x', 'limit=0', 'sort=ref', 'ref=%00'])
      assert.deepEqual(codeOf(await api.call(who, 'GET', `/v1/batch?${query}`)), [400, 'A300'])
    assert.deepEqual(codeOf(await api.call(who, 'GET', '/v1/batch?after=x')), [404, 'A350'])
  })
})
