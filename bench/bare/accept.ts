/**
 * The bare accept: Fastify, a schema, one message to a quorum queue, an answer after its confirm. It knows no
 * accounts, tokens, limits, metrics or errors: it is what the same promise costs with nothing around it.
 *
 * Usage: node bench/bare/accept.ts '{"brokerUrl":…,"queue":…}'; prints one line when it is ready.
 */
import { fastify } from 'fastify'
import { Connection } from 'rabbitmq-client'
import type { BareJob } from './job.ts'

interface Body {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly ref?: string
}

const text = { type: 'string' }
const schema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'to', 'text'],
    properties: {
      from: { type: 'string', minLength: 1, maxLength: 20 },
      to: { type: 'string', minLength: 1, maxLength: 20 },
      text: { type: 'string', minLength: 1, maxLength: 2000 },
      ref: { type: 'string', maxLength: 200 },
      originCID: { type: 'string', pattern: '^\\d{9}$' },
    },
  },
  response: {
    200: { type: 'object', properties: { code: text, result: text, msgKey: text, ref: text } },
  },
}

const { brokerUrl, queue } = JSON.parse(process.argv[2]!) as { brokerUrl: string; queue: string }
const connection = new Connection(brokerUrl)
const publisher = connection.createPublisher({ confirm: true })
const envelope = { routingKey: queue, durable: true }

const keyBegin = new Date().toISOString().replace(/\D/g, '')
let keys = 0

const server = fastify({ logger: false })
server.post('/v1/send/sms', { schema }, async (request) => {
  const body = request.body as Body
  const job: BareJob = {
    v: 1,
    msgKey: `${keyBegin}00${String(++keys).padStart(13, '0')}`,
    accountId: 1,
    acceptedAt: Date.now(),
    to: body.to,
    ref: body.ref,
    steps: [{ channel: 'sms', from: body.from, text: body.text }],
  }
  await publisher.send(envelope, Buffer.from(JSON.stringify(job)))
  return { code: 'A000', result: 'Success', msgKey: job.msgKey, ref: body.ref }
})
await connection.onConnect()
const address = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ ready: 'bare accept', port: Number(new URL(address).port) })}\n`)
process.once('SIGTERM', () => process.exit(0))
