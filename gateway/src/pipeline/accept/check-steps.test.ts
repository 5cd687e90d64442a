import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type Envelope } from '../../../test/support/http/server.ts'
import { putTemplate } from '../../carriers/routes/templates.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const kinds = ['Free', 'Description', 'Cell', 'Image'] as const
for (const kind of kinds) await putTemplate(database, { id: `UBR.${kind}`, kind })
const api = await createTestServer({ database, broker, topology })
const lenient = await createTestServer({
  database,
  broker,
  topology,
  senderKinds: ['special', 'old-mobile', 'forwarding'],
})
const account = await api.account()
const [from, to] = ['0234567890', '01012345678']

const send = async (channel: string, body: object): Promise<Envelope> =>
  (await api.call(account, 'POST', `/v1/send/${channel}`, body)).body

async function assertRefused(channel: string, body: object, code: string, field: string): Promise<void> {
  const { code: found, result } = await send(channel, body)
  assert.equal(found, code, result)
  assert.ok(result.startsWith(`Invalid or empty '${field}': `), result)
}

suite('a sender that only some accounts may use', () => {
  const numbers = ['112', '1335', '0111234567', '01912345678', '05012345678', '050512345678']

  test('is rejected with A302, in every step that has one', async () => {
    for (const number of numbers) {
      await assertRefused('sms', { from: number, to, text: 'x' }, 'A302', 'from')
      await assertRefused('international', { from: number, to: '+12025550123', text: 'x' }, 'A302', 'from')
      const fallback = { type: 'SMS', from: number, text: 'x' }
      const alimtalk = { senderKey: 'k', msgType: 'AT', templateCode: 't', to, text: 'x', fallback }
      await assertRefused('alimtalk', alimtalk, 'A302', 'fallback.from')
    }
  })

  test('is accepted when the installation allows its kind', async () => {
    const other = await lenient.account()
    for (const number of numbers) {
      const { body } = await lenient.call(other, 'POST', '/v1/send/sms', { from: number, to, text: 'x' })
      assert.equal(body.code, 'A000', body.result)
    }
    for (const number of ['11', '12345', '050123', '0151234567', '00182101234']) {
      const { body } = await lenient.call(other, 'POST', '/v1/send/sms', { from: number, to, text: 'x' })
      assert.equal(body.code, 'A302', number)
    }
  })
})

test('a dry run of a flow names each wrong field of an RCS template once', async () => {
  const template = { title: '가'.repeat(31), description: '가'.repeat(151) }
  const entry = { from, formatId: 'UBR.Cell', brandKey: 'k', content: { template } }
  const flow = { destinations: [{ to }], messageFlow: [{ rcs: entry }] }
  const { body } = await api.call(account, 'POST', '/v1/send/omni?dryRun=true', flow)
  const { destinations } = body.data as { destinations: { problems: { field: string }[] }[] }
  assert.deepEqual(
    destinations[0]!.problems.map(({ field }) => field),
    ['title', 'description'].map((name) => `messageFlow[0].rcs.content.template.${name}`),
  )
})
