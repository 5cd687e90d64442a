import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { isMsgKey } from '../../contract/msg-key.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const api = await createTestServer({ database, broker, topology })
const account = await api.account()

interface Result {
  readonly to: string
  readonly msgKey: string
  readonly code: string
  readonly result: string
}

const to = '01012345678'
const from = '0234567890'
const sms = { from, text: 'hello' }
const rcs = { from, formatId: 'SS000000', content: { standalone: { text: 'hello' } } }
const alimtalk = { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' }
const request = { destinations: [{ to }], messageFlow: [{ sms }] }
const send = async (change: object) => {
  const { status, body } = await api.call(account, 'POST', '/v1/send/omni', { ...request, ...change })
  const results = (body.data as { destinations: Result[] } | undefined)?.destinations ?? []
  return { status, body, results }
}
const takeJobs = async (count: number): Promise<AcceptedJob[]> =>
  (await testBroker.drain(topology.accepted.normal, count)) as AcceptedJob[]
async function refusedWhole(change: object, code: string, names: string): Promise<void> {
  const before = await broker.depth(topology.accepted.normal)
  const { status, body, results } = await send(change)
  if (results.length > 0) await takeJobs(results.length)
  assert.deepEqual([status, body.code], [400, code], body.result)
  assert.ok(body.result.includes(names), body.result)
  assert.equal('data' in body, false)
  assert.equal(await broker.depth(topology.accepted.normal), before, 'nothing of it was accepted')
}
/** Returns the result of one destination with these replaceWords. */
async function sendOne(flow: object[], replaceWords?: object): Promise<Result> {
  const { status, body, results } = await send({
    destinations: [{ to, ...(replaceWords && { replaceWords }) }],
    messageFlow: flow,
  })
  assert.deepEqual([status, body.code, results.length], [200, 'A000', 1], body.result)
  return results[0]!
}
async function acceptedSteps(flow: object[], replaceWords?: object): Promise<AcceptedJob['steps']> {
  const result = await sendOne(flow, replaceWords)
  assert.equal(result.code, 'A000', result.result)
  return (await takeJobs(1))[0]!.steps
}

suite('destinations', () => {
  test('get results in order, in the documented shape, after they are queued', async () => {
    const numbers = Array.from({ length: 10 }, (_, n) => `0101234000${n}`)
    const destinations = numbers.map((number) => ({ to: number }))
    const { status, body, results } = await send({ destinations, ref: 'order 7' })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      code: 'A000',
      result: 'Success',
      data: {
        destinations: numbers.map((number, n) => ({
          to: number,
          msgKey: results[n]!.msgKey,
          code: 'A000',
          result: 'Success',
        })),
      },
      ref: 'order 7',
    })
    assert.ok(results.every(({ msgKey }) => isMsgKey(msgKey)))
    const jobs = await takeJobs(10)
    assert.deepEqual(
      new Map(jobs.map((job) => [job.msgKey, job.to])),
      new Map(results.map((result) => [result.msgKey, result.to])),
    )
    assert.ok(jobs.every((job) => job.ref === 'order 7' && job.accountId === account.id))
  })

  for (const [description, change, code, names] of [
    ['an unknown field', { destinations: [{ to, name: 'Kim' }] }, 'A300', 'destinations[0].name'],
    [
      'a value that is not a string',
      { destinations: [{ to, replaceWords: { constructor: {} } }] },
      'A300',
      'destinations[0].replaceWords.constructor',
    ],
    [
      'a value that is not a string',
      { destinations: [{ to, replaceWords: { 'first\nname': {} } }] },
      'A300',
      'replaceWords',
    ],
    ['a paymentCode of 21', { paymentCode: 'p'.repeat(21) }, 'A310', 'paymentCode'],
    ['a ref that is not a string', { ref: 7 }, 'A305', 'ref'],
    ['an unknown field', { colour: 'red' }, 'A300', 'colour'],
  ] as const) {
    test(`rejects a whole request with ${description}: ${names}`, () => refusedWhole(change, code, names))
  }

  test('accepts a paymentCode of 20', async () => {
    const paymentCode = 'p'.repeat(20)
    assert.equal((await send({ paymentCode })).status, 200)
    assert.equal((await takeJobs(1))[0]!.paymentCode, paymentCode, 'and hands it on')
  })
})

suite('the flow', () => {
  test('keeps its order, with a step for every message', async () => {
    const steps = await acceptedSteps([{ alimtalk }, { rcs }, { sms: { ...sms, ttl: '60' } }])
    assert.deepEqual(steps, [
      { channel: 'alimtalk', content: alimtalk },
      { channel: 'rcs', content: rcs, ttlSeconds: 86_400 },
      { channel: 'sms', from, text: 'hello', ttlSeconds: 60 },
    ])
  })

  test('accepts six messages', async () => {
    assert.equal((await acceptedSteps(Array.from({ length: 6 }, () => ({ sms })))).length, 6)
  })

  const seven = Array.from({ length: 7 }, () => ({ sms }))
  for (const [description, messageFlow, code, names] of [
    ['seven messages', seven, 'A300', 'messageFlow'],
    ['nothing but null', [{ sms: null }], 'A300', 'messageFlow[0]'],
    ['an unknown channel', [{ sms }, { pigeon: sms }], 'A300', 'messageFlow[1]'],
    ['a channel called constructor', [{ constructor: sms }], 'A300', 'messageFlow[0]'],
    ['a list for an entry', [[sms]], 'A300', 'messageFlow[0]'],
    ['a list for a message', [{ sms: [sms] }], 'A300', 'messageFlow[0].sms'],
    ['no object', [{ sms: 7 }], 'A300', 'messageFlow[0].sms'],
    ['an unknown field', [{ sms: { ...sms, to } }], 'A300', 'messageFlow[0].sms.to'],
    ['a fallback in a flow', [{ rcs: { ...rcs, fallback: {} } }], 'A300', 'messageFlow[0].rcs.fallback'],
    [
      'a wrong button',
      [{ sms }, { alimtalk: { ...alimtalk, attachment: { button: [{ name: 'x' }] } } }],
      'A524',
      'messageFlow[1].alimtalk.attachment.button[0].type',
    ],
  ] as const) {
    test(`rejects a whole request with ${description}`, () => refusedWhole({ messageFlow }, code, names))
  }

  test('a message that exceeds a limit is named with its path', async () => {
    const result = await sendOne([{ rcs }, { sms: { ...sms, text: '가'.repeat(46) } }])
    assert.equal(result.code, 'A328')
    assert.ok(result.result.includes("'messageFlow[1].sms.text'"), result.result)
  })
})

suite('placeholders', () => {
  test('numbers and booleans are filled in as text', async () => {
    const words = { name: 'Kim', orders: 3, total: 1234.5, member: true, open: false }
    const text = '#{name} #{orders} #{total} #{member} #{open}'
    const [step] = await acceptedSteps([{ sms: { ...sms, text } }], words)
    assert.deepEqual(step, { channel: 'sms', from, text: 'Kim 3 1234.5 true false' })
  })

  test('a value for __proto__ is rejected and changes nothing', async () => {
    const { status, body } = await api.inject({
      method: 'POST',
      url: '/v1/send/omni',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      payload: `{"destinations":[{"to":"${to}","replaceWords":{"__proto__":"x"}}],"messageFlow":[{"sms":{"from":"${from}","text":"a"}}]}`,
    })
    assert.equal(status, 400, body.code)
    assert.equal(Object.getPrototypeOf({}), Object.prototype)
  })
})

suite('limits apply to the text after filling in', () => {
  const long = { w: '가'.repeat(46) }
  test('a text that a value makes too long is refused', async () => {
    const { code, result } = await sendOne([{ sms: { ...sms, text: '#{w}' } }], long)
    assert.equal(code, 'A328', result)
  })

  test('a text that only its placeholder made too long is accepted', async () => {
    const name = 'n'.repeat(100)
    await acceptedSteps([{ sms: { ...sms, text: `#{${name}}` } }], { [name]: 'a' })
  })

  test('a text that a value leaves empty is refused', async () => {
    assert.equal((await sendOne([{ sms: { ...sms, text: '#{w}' } }], { w: '' })).code, 'A303')
  })

  test('a button that a value makes too long is rejected with its path', async () => {
    const button = [{ type: 'WL', name: '#{w}', urlMobile: 'https://a.example' }]
    const { code, result } = await sendOne([{ alimtalk: { ...alimtalk, attachment: { button } } }], long)
    assert.equal(code, 'A525', result)
    assert.ok(result.includes("'messageFlow[0].alimtalk.attachment.button[0].name'"), result)
  })

  test('a groupId that a value makes longer than 20 is refused', async () => {
    const { code, result } = await sendOne([{ rcs: { ...rcs, groupId: '#{w}' } }], long)
    if (code === 'A000') await takeJobs(1)
    assert.equal(code, 'A409', result)
  })

  for (const [name, flow] of [
    ['sms', { sms: { ...sms, text: '#{w}' } }],
    ['mms', { mms: { ...sms, text: '#{w}' } }],
    ['rcs', { rcs: { ...rcs, content: { standalone: { text: '#{w}' } } } }],
    ['alimtalk', { alimtalk: { ...alimtalk, text: '#{w}' } }],
    ['friendtalk', { friendtalk: { senderKey: 'k', msgType: 'FT', text: '#{w}' } }],
  ] as const) {
    test(`${name} rejects U+0000 and half a surrogate pair, which PostgreSQL and handsets do not support`, async () => {
      const results = await Promise.all(['a\u0000b', 'a\ud800b'].map((w) => sendOne([flow], { w })))
      const accepted = results.filter(({ code }) => code === 'A000').length
      if (accepted > 0) await takeJobs(accepted)
      assert.deepEqual(
        results.map(({ code }) => code),
        ['A303', 'A303'],
      )
    })
  }
})
