import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { createFileKey } from '../../records/files/file.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createRouteTable } from '../../carriers/routes/table.ts'
import { defaultSettings } from '../../identity/accounts/account.ts'
import { createDryRun, createHasRoute } from './dry-run.ts'
import { DryRunResponse } from './responses.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
await upsertRoute(database, {
  id: 'seoul',
  channels: ['sms', 'mms'],
  protocol: 'sandbox',
  options: {},
  priority: 10,
  partsPerSecond: 0,
  enabled: true,
})
const redis = new Redis(serviceUrl('POSTERN_REDIS_URL'))
addCleanup(() => redis.disconnect())
const keyPrefix = `dry-run.${randomUUID()}.`
const api = await createTestServer({ database, broker, topology, redis, queuePrefix: keyPrefix })
const account = await api.account()

const to = '01012345678'
const from = '0234567890'
const sms = { from, to, text: '안녕하세요' }
const alimtalk = { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' }

async function dryRun(path: string, body: unknown) {
  const { status, body: response } = await api.call(account, 'POST', `/v1/send/${path}?dryRun=true`, body)
  assert.deepEqual([...Value.Errors(DryRunResponse, response)], [], JSON.stringify(response))
  const { code, result, data } = response as unknown as DryRunResponse
  assert.equal(status, code === 'A000' ? 200 : 400)
  return { code, result, ...data }
}
type Problems = readonly { readonly code: string; readonly field: string }[]
const describeProblems = (problems: Problems): string[] =>
  problems.map(({ code, field }) => `${code} ${field}`)
const problemsOf = async (path: string, body: unknown): Promise<string[]> => {
  const { destinations, problems } = await dryRun(path, body)
  return [
    ...describeProblems(problems),
    ...destinations.flatMap((destination) => describeProblems(destination.problems)),
  ]
}

test('a valid send is described step by step', async () => {
  const { code, destinations, problems } = await dryRun('sms', sms)
  assert.deepEqual([code, problems], ['A000', []])
  assert.deepEqual(destinations, [
    {
      to,
      code: 'A000',
      result: 'Success',
      steps: [
        {
          step: 1,
          channel: 'sms',
          msgType: 'SM',
          hasRoute: true,
          text: sms.text,
          encoding: 'cp949',
          bytes: 10,
          characters: 5,
          parts: 1,
          deadlineSeconds: 86_400,
        },
      ],
      ruleEffects: [],
      problems: [],
    },
  ])
})

test('a dry run shows parts, encoding, deadline and route of each step', async () => {
  const long = await dryRun('international', { from, to: '+4915112345678', text: 'ü'.repeat(200) })
  const { steps } = long.destinations[0]!
  assert.deepEqual([steps[0]!.encoding, steps[0]!.parts, steps[0]!.bytes], ['gsm7', 2, null])
  assert.equal(steps[0]!.hasRoute, false)
  const fallback = { type: 'MMS', text: 'hello' }
  const rcs = { formatId: 'SS000000', brandKey: 'k', expiryOption: '2', fallback }
  const two = await dryRun('rcs', { from, to, ...rcs, content: { standalone: { text: 'hello' } } })
  assert.deepEqual(
    two.destinations[0]!.steps.map(({ step, channel, msgType, deadlineSeconds, hasRoute, bytes }) => [
      step,
      channel,
      msgType,
      deadlineSeconds,
      hasRoute,
      bytes,
    ]),
    [
      [1, 'rcs', 'RS', 40, false, null],
      [2, 'mms', 'LM', 86_400, true, 5],
    ],
  )
})

test('a dry run publishes and stores nothing and assigns no msgKey, even with an Idempotency-Key', async () => {
  const before = await broker.depth(topology.accepted.normal)
  const headers = { 'idempotency-key': 'dry' }
  const send = (query: string) => api.call(account, 'POST', `/v1/send/sms${query}`, sms, headers)
  const { body } = await send('?dryRun=true')
  assert.deepEqual(Object.keys(body), ['code', 'result', 'data'])
  assert.equal(await broker.depth(topology.accepted.normal), before)
  assert.match(String((await send('')).body.msgKey), /^\d{17}/, 'the key is still free')
  await dryRun('omni', { destinations: [{ to }], messageFlow: [{ sms: { from, text: 'x' } }] })
  assert.equal(await broker.depth(topology.accepted.normal), before + 1)
})

test('dryRun is true or false; a misspelled value sends nothing', async () => {
  const before = await broker.depth(topology.accepted.normal)
  for (const [query, found] of [
    ['dryRun=1', "'1'"],
    ['dryRun=TRUE', "'TRUE'"],
    ['dryRun=', "''"],
    ['dryRun=true&dryRun=true', 'several values'],
  ]) {
    const { status, body } = await api.call(account, 'POST', `/v1/send/sms?${query}`, sms)
    assert.deepEqual([status, body.code], [400, 'A300'], query)
    assert.equal(body.result, `Invalid or empty 'dryRun': must be true or false, found ${found}`)
  }
  assert.equal(await broker.depth(topology.accepted.normal), before)
  const { body } = await api.call(account, 'POST', '/v1/send/sms?dryRun=false', sms)
  assert.ok(body.msgKey !== undefined)
})

suite('a dry run reports', () => {
  test('the wrong shapes and contents of all fields', async () => {
    const body = {
      from: 'x',
      to: 7,
      text: 'a'.repeat(91),
      ref: 'r'.repeat(201),
      originCID: '1',
      colour: 'red',
    }
    assert.deepEqual(await problemsOf('sms', body), [
      'A300 colour',
      'A306 to',
      'A305 ref',
      'A300 originCID',
      'A302 from',
      'A328 text',
    ])
  })

  test('a text that is too long, with its length', async () => {
    const { code, destinations } = await dryRun('sms', { ...sms, text: '가'.repeat(50) })
    assert.equal(code, 'A328')
    assert.equal(destinations[0]!.steps[0]!.bytes, 100)
  })

  test('no problem of a field that another problem makes uncheckable', async () => {
    const item = { msgType: 'XX', text: 'x'.repeat(2_000), button: [{ type: 'XX', name: 'x'.repeat(99) }] }
    assert.deepEqual(await problemsOf('alimtalk', { ...alimtalk, ...item, to: 'nobody' }), [
      'A523 msgType',
      'A524 button[0].type',
      'A306 to',
    ])
    const { destinations } = await dryRun('alimtalk', { to, ...alimtalk, ...item })
    assert.deepEqual(destinations[0]!.steps, [], 'a step without msgType is not described')
  })

  test('each problem of the message and its fallback once', async () => {
    const fallback = { type: 'SMS', from: 'x', text: '가'.repeat(46), fileKey: ['a', 'b', 'c', 'd'] }
    assert.deepEqual(await problemsOf('alimtalk', { to, ...alimtalk, templateCode: '', fallback }), [
      'A505 templateCode',
      'A302 fallback.from',
      'A317 fallback.fileKey',
      ...[0, 1, 2, 3].map((n) => `A217 fallback.fileKey[${n}]`),
    ])
  })

  test('every missing file', async () => {
    const [first, second] = [createFileKey(new Date()), createFileKey(new Date())]
    assert.deepEqual(await problemsOf('mms', { ...sms, text: '', fileKey: [first, 'x', second] }), [
      'A303 text',
      'A217 fileKey[0]',
      'A217 fileKey[1]',
      'A217 fileKey[2]',
    ])
  })

  test('the problems of all steps for each destination, including placeholders and numbers', async () => {
    const { code, destinations, problems } = await dryRun('omni', {
      destinations: [
        { to, replaceWords: { name: 'Kim' } },
        { to: 'x' },
        { to, replaceWords: { name: '가'.repeat(46) } },
      ],
      messageFlow: [
        { alimtalk: { ...alimtalk, text: 'Dear #{name}', title: 'x'.repeat(51) } },
        { sms: { from, text: '#{name}', ttl: '0' } },
        { mms: { from: 'x', text: 7 } },
      ],
      paymentCode: 'p'.repeat(21),
    })
    assert.equal(code, 'A310')
    assert.deepEqual(describeProblems(problems), ['A310 paymentCode', 'A303 messageFlow[2].mms.text'])
    const [title, ttl, sender] = [
      'A300 messageFlow[0].alimtalk.title',
      'A304 messageFlow[1].sms.ttl',
      'A302 messageFlow[2].mms.from',
    ] as const
    assert.deepEqual(
      destinations.map((destination) => describeProblems(destination.problems)),
      [
        [title, ttl, sender],
        [
          'A306 destinations[1].to',
          'A303 messageFlow[0].alimtalk.text',
          title,
          'A303 messageFlow[1].sms.text',
          ttl,
          sender,
        ],
        [title, 'A328 messageFlow[1].sms.text', ttl, sender],
      ],
    )
    assert.deepEqual(
      destinations.map(({ steps }) => steps.map(({ step }) => step)),
      [[1, 2], [], [1, 2]],
    )
  })

  test('too many destinations, an empty flow and an unknown form', async () => {
    const tooMany = { destinations: Array.from({ length: 11 }, () => ({ to })) }
    const flow = [{ sms: { from, text: 'x' } }, { pigeon: {} }, {}]
    const { destinations, problems } = await dryRun('omni', { ...tooMany, messageFlow: flow })
    assert.deepEqual(describeProblems(problems), [
      'A318 destinations',
      'A300 messageFlow[1]',
      'A300 messageFlow[2]',
    ])
    assert.deepEqual([destinations.length, destinations[9]!.code], [10, 'A000'])
    assert.deepEqual(await problemsOf('omni', { destinations: [{ to: 'x' }], messageForm: 'nothing' }), [
      'A250 ',
      'A306 destinations[0].to',
    ])
  })

  test('problems in a response of limited size, whatever the body contains', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, 1]))
    const { destinations, problems } = await dryRun('sms', { ...sms, ...many })
    assert.ok(destinations.length + problems.length > 0)
    assert.ok(JSON.stringify({ destinations, problems }).length < 20_000)
    const endless = { destinations: [{ to }], messageFlow: [{ [`x${'y'.repeat(100_000)}`]: 1 }] }
    assert.ok(JSON.stringify(await dryRun('omni', endless)).length < 2_000)
  })
})

test('a body that is not an object has no destinations and one problem', async () => {
  for (const path of ['sms', 'rcs', 'omni']) {
    const { code, destinations, problems } = await dryRun(path, [])
    assert.deepEqual([code, destinations, describeProblems(problems)], ['A011', [], ['A011 ']])
  }
})

test('a dry run reports failed lookups and all other problems while PostgreSQL is unavailable', async () => {
  const unavailable = () => Promise.reject(Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' }))
  const { simple, omni } = createDryRun({
    checkSteps: unavailable,
    forms: { find: unavailable, forget: () => undefined },
    hasRoute: createHasRoute(createRouteTable(database, silentLog)),
    stepTtlSeconds: 60,
    previewDraft: () => Promise.resolve([]),
  })
  const account = { id: 1, clientId: 'c', name: 'n', blocked: false, tokenEpoch: 1, ...defaultSettings }
  const { code, data } = await simple(account, 'mms', { ...sms, from: 'x', fileKey: ['a'] })
  assert.equal(code, 'A302')
  const [destination] = data.destinations
  assert.deepEqual(describeProblems(destination!.problems), ['A302 from', 'A920 '])
  assert.equal(destination!.steps[0]!.hasRoute, null)
  const form = await omni(account, { destinations: [{ to: 'x' }], messageForm: 'f' })
  assert.deepEqual([form.code, form.data.destinations[0]!.code], ['A920', 'A306'])
})

test('the example in the documentation gets the response shown there', async () => {
  const page = readFileSync(new URL('../../../../docs/reference/dry-run.md', import.meta.url), 'utf8')
  const request = /-d '(\{.*?\})'\n/s.exec(page)![1]!
  const response = /```json\n(.*?)```/s.exec(page)![1]!
  const { code, result, ...data } = await dryRun('omni', JSON.parse(request))
  assert.deepEqual({ code, result, data }, JSON.parse(response))
})
