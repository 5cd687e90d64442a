import assert from 'node:assert/strict'
import {
  assertAccepted,
  assertError,
  msgKeyPattern,
  nextRecipient,
  assertRejected,
  waitForReports,
  timePattern,
} from '../api-assertions.ts'
import { alimtalk, friendtalk, international, omni, rcs, sends, sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'

prove('service.1', async () => {
  const api = await getAccountClient('main')
  const { schema, token, expired } = (await api.requestToken(api.credentials)).body.data!
  assert.match(expired!, timePattern)
  const { body } = await api.post('/v1/send/sms', sms(), `${schema} ${token}`)
  assert.equal(body.code, 'A000')
  assertError(await api.post('/v1/send/sms', sms(), ''), 401, 'A002')
})

prove('service.2', async () => {
  for (const [name, body] of Object.entries(sends)) await assertAccepted(name, body())
})

/** Sends a message and returns its msgKey, for omni that of the destination. */
async function sendForKey(name: string, body: object): Promise<string> {
  const response = (await assertAccepted(name, body)).body
  return response.msgKey ?? response.data!.destinations![0]!.msgKey
}

prove('service.3', async () => {
  const keys: string[] = []
  for (const [name, body] of Object.entries(sends)) {
    for (let time = 0; time < 5; time++) keys.push(await sendForKey(name, body()))
  }
  for (const key of keys) assert.match(key, msgKeyPattern)
  assert.equal(new Set(keys).size, keys.length)
})

prove('events.5', async () => {
  const fallback = { type: 'SMS', text: 'instead' }
  const messages: Readonly<Record<string, readonly [object, tried: number]>> = {
    alimtalk: [alimtalk(), 1],
    friendtalk: [friendtalk(), 1],
    international: [international(), 1],
    rcs: [rcs({ to: nextRecipient('0023'), fallback }), 2],
    omni: [omni(), 1],
  }
  for (const [name, [body, tried]] of Object.entries(messages)) {
    const ref = `ref of ${name}`
    const msgKey = await sendForKey(name, { ...body, ref })
    const reports = await waitForReports(msgKey)
    assert.equal(reports.length, tried, name)
    for (const report of reports) assert.deepEqual([report.msgKey, report.ref], [msgKey, ref])
  }
})

prove('limit.ref', async () => {
  for (const [name, body] of Object.entries({ rcs: rcs(), international: international() })) {
    assert.equal((await assertAccepted(name, { ...body, ref: '가'.repeat(200) })).body.ref, '가'.repeat(200))
    await assertRejected(name, { ...body, ref: '가'.repeat(201) }, 'A305', 'ref')
  }
})
