/**
 * Bare accept process: Fastify, a schema, a job published to a quorum queue, a response after its confirm.
 * Without accounts, tokens, limits, metrics and error handling, it shows the cost of the durability
 * guarantee.
 *
 * Usage: node bench/bare/accept.ts <settings as JSON>; prints one line when it is ready.
 */
import { fastify } from 'fastify'
import { Connection } from 'rabbitmq-client'
import type { BareFlowJob, BareJob } from './job.ts'
import { fillFlow, flowSchema, type FlowBody } from './flow.ts'
import { createPublish, type Publishing } from './publish.ts'

export interface BareAcceptSettings {
  readonly brokerUrl: string
  readonly queue: string
  readonly publishing: Publishing
}

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
  response: { 200: { type: 'object', properties: { code: text, result: text, msgKey: text, ref: text } } },
}

const { brokerUrl, queue, publishing } = JSON.parse(process.argv[2]!) as BareAcceptSettings
const connection = new Connection(brokerUrl)
const publish = createPublish(connection, publishing)

const keyBegin = new Date().toISOString().replace(/\D/g, '')
let keys = 0
const newKey = (): string => `${keyBegin}00${String(++keys).padStart(13, '0')}`

const server = fastify({ logger: false })
server.post('/v1/send/sms', { schema }, async (request) => {
  const body = request.body as Body
  const job: BareJob = {
    v: 1,
    msgKey: newKey(),
    accountId: 1,
    acceptedAt: Date.now(),
    to: body.to,
    ref: body.ref,
    steps: [{ channel: 'sms', from: body.from, text: body.text }],
  }
  await publish(queue, JSON.stringify(job))
  return { code: 'A000', result: 'Success', msgKey: job.msgKey, ref: body.ref }
})
server.post('/v1/send/omni', { schema: flowSchema }, async (request) => {
  const body = request.body as FlowBody
  const destinations = await Promise.all(
    body.destinations.map(async (destination) => {
      const job: BareFlowJob = {
        v: 1,
        msgKey: newKey(),
        accountId: 1,
        acceptedAt: Date.now(),
        to: destination.to,
        ref: body.ref,
        steps: fillFlow(body.messageFlow, destination.replaceWords ?? {}),
      }
      await publish(queue, JSON.stringify(job))
      return { to: destination.to, msgKey: job.msgKey, code: 'A000', result: 'Success' }
    }),
  )
  return { code: 'A000', result: 'Success', data: { destinations }, ref: body.ref }
})
await connection.onConnect()
const address = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ ready: 'bare accept', port: Number(new URL(address).port) })}\n`)
process.once('SIGTERM', () => process.exit(0))
