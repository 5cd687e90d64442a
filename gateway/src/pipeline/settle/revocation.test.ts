/**
 * A message over Google RCS Business Messaging that is not delivered in its time is revoked by Google before its fallback is
 * sent, so that the recipient gets one message. Through all stages, to a simulated server that revokes what has expired.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRbm } from '../../../../simulator/src/rbm.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { reportCodes, sender, smsStep } from '../../../test/support/fixtures.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { publicKey, serviceAccount } from '../../../test/support/carriers/rbm.ts'
import { testRoute } from '../../../test/support/routes.ts'
import type { RichStep } from '../../channels/channel.ts'

const pipeline = await openPipeline()
const { database } = pipeline
const clientToken = 'client-token'
const google = await startRbm({ publicKey, clientToken, webhookUrl: `${pipeline.inboundUrl}/rbm/` })
addCleanup(() => google.close())
const url = `http://127.0.0.1:${google.port}`
await pipeline.addRoute(
  testRoute('rbm', {
    channels: ['rcs'],
    protocol: 'rbm',
    options: {
      url,
      agentId: 'acme_agent',
      clientToken,
      serviceAccount: serviceAccount({ token_uri: `${url}/token` }),
    },
  }),
)
await pipeline.addRoute(testRoute('texts', { protocol: 'sandbox', options: {} }))
await pipeline.startWorker()

/** Google gets three quarters of the time; the rest is the margin for its event. */
const ttlSeconds = 8
const rcs: RichStep = {
  channel: 'rcs',
  content: { from: sender, formatId: 'SS000000', brandKey: 'k', content: { standalone: { text: 'hello' } } },
  ttlSeconds,
}

test('an undelivered message is revoked before its fallback is sent', async () => {
  const to = '01012340022'
  const startedAt = Date.now()
  const msgKey = await pipeline.send(1, to, rcs, smsStep)
  assert.deepEqual(await reportCodes(database, msgKey), ['32000', '10000'])
  const { rows } = await database.query<{ route: string; code: string; receivedAt: Date; sentAt: Date }>(
    `select route_id as route, receipt_code as code, received_at as "receivedAt", submitted_at as "sentAt"
       from attempts where msg_key = $1 order by step`,
    [msgKey],
  )
  const [revoked, fallback] = rows
  assert.deepEqual([revoked!.route, revoked!.code], ['rbm', 'TTL_EXPIRATION_REVOKED'])
  assert.equal(fallback!.route, 'texts')
  assert.ok(revoked!.receivedAt.getTime() <= fallback!.sentAt.getTime(), 'revoked first')
  // The event of Google ends the step, not the deadline, which would leave the outcome unknown.
  assert.ok(fallback!.sentAt.getTime() < startedAt + ttlSeconds * 1_000, 'before the deadline')
  assert.equal(google.submissions().length, 1)
  await pipeline.balances(1, 1)
})
