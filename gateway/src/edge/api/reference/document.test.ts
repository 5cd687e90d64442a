import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fastify, type FastifyPluginCallback } from 'fastify'
import { Value } from 'typebox/value'
import { sendRoutes } from '../../../pipeline/accept/http.ts'
import { fileContentRoutes } from '../../../records/files/storage/content.ts'
import { fileRoutes } from '../../../records/files/http.ts'
import { formRoutes } from '../../../records/forms/http.ts'
import { isResultCode, resultCodes } from '../../../contract/result-codes.ts'
import { cancelRoutes } from '../../../records/messages/cancel-http.ts'
import { messageListRoutes } from '../../../records/messages/list-http.ts'
import { replyRoutes } from '../../../records/replies/http.ts'
import { reportRoutes } from '../../../records/reports/http.ts'
import { batchRoutes } from '../../../pipeline/batches/http.ts'
import { timelineRoutes } from '../../../records/timeline/http.ts'
import { usageRoutes } from '../../../records/usage/http.ts'
import { conversionRoutes } from '../../../trust/abuse/conversion-http.ts'
import { suppressionRoutes } from '../../../trust/suppression/http.ts'
import { tokenRoutes } from '../tokens/http.ts'
import { webhookRoutes } from '../../webhooks/http.ts'
import { createTimeFormat } from '../../../contract/times.ts'
import { ReplyRecord } from '../../../records/replies/reply.ts'
import { ReportSchema } from '../../../records/reports/report-record.ts'
import { sampleBody, withMilliseconds } from '../../webhooks/body.ts'
import { createDocument } from './document.ts'
import { operationsFor } from './operations.ts'
import { refName } from './ref.ts'

type Node = Readonly<Record<string, unknown>>

const document = createDocument()
const operations = operationsFor('SVC')

/** Yields every object and array in the node, with the path to it. */
function* nodesOf(node: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [path, node as Node]
  for (const [key, inner] of Object.entries(node)) yield* nodesOf(inner, `${path}/${key}`)
}

function resolve(node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const [, , kind, name] = node.$ref.split('/')
  return (document.components[kind!] as Record<string, Node>)[name!]!
}

test('has every route of the API and no other', async () => {
  const served: string[] = []
  const server = fastify()
  server.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') served.push(`${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  })
  // Only requests use the options.
  const none = { credentialPrefixes: [] } as never
  const plugins: FastifyPluginCallback[] = [
    ...[tokenRoutes(none), sendRoutes(none), fileRoutes(none), fileContentRoutes(none)],
    ...[formRoutes(none), reportRoutes(none), cancelRoutes(none)],
  ]
  plugins.push(webhookRoutes(none), suppressionRoutes(none), conversionRoutes(none))
  plugins.push(
    timelineRoutes(none),
    messageListRoutes(none),
    usageRoutes(none),
    replyRoutes(none),
    batchRoutes(none),
  )
  for (const plugin of plugins) server.register(plugin)
  await server.ready()
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  assert.deepEqual(described.sort(), served.sort())
  await server.close()
})

test('only the 503 of a send describes how to repeat it safely', () => {
  for (const [path, node] of nodesOf(document.paths)) {
    if (!path.endsWith('/responses/503')) continue
    const text = String(resolve(node).description)
    if (path.includes('/v1/send/') && path.includes('/post/'))
      assert.match(text, /Message-Accepted.*same Idempotency-Key/, path)
    else assert.doesNotMatch(text, /Message-Accepted/, path)
  }
})

test('no two paths differ only in parameter names, and every segment is a parameter', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  assert.deepEqual(shapes.toSorted(), [...new Set(shapes)].sort())
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters = [] } = operation as { parameters?: readonly { in: string; name: string }[] }
      const placeholders = parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`)
      assert.deepEqual(placeholders, path.match(/\{\w+\}/g) ?? [], `${method} ${path}`)
    }
  assert.deepEqual(Object.keys(document.paths['/v1/file/{serviceTypeOrFileKey}']!), ['post', 'delete'])
})

test('webhook changes and responses have no defaults', () => {
  const { WebhookRequest, WebhookChange, Webhook } = document.components.schemas
  const defaults = (schema: unknown): number =>
    [...nodesOf(schema)].filter(([path, node]) => !path.endsWith('/properties') && 'default' in node).length
  assert.equal(defaults(WebhookRequest), 8)
  assert.equal(defaults(WebhookChange), 0)
  assert.equal(defaults(Webhook), 0)
})

test('every object and every enum of a schema is named', () => {
  const inline = [...nodesOf(document.components.schemas)]
    .filter(([path]) => path.split('/').length > 2 && !path.endsWith('/properties'))
    .filter(([, { type, enum: values }]) => type === 'object' || values !== undefined)
  const bodies = [...nodesOf({ ...document.paths, ...document.webhooks })].filter(
    ([, { type }]) => type === 'object',
  )
  assert.deepEqual(
    [...inline, ...bodies].map(([path]) => path),
    [],
  )
})

test('every time is a date-time, unless it can be empty or has another form', () => {
  const isTime = /(?:Time|At|Since|Until)$|^(?:at|time|since|until|created|expired|timestamp|notBefore)$/
  const others = Object.entries(document.components.schemas as Record<string, Node>).flatMap(
    ([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Node>)
        .filter(([field, schema]) => isTime.test(field) && !JSON.stringify(schema).includes('"date-time"'))
        .map(([field]) => `${name}.${field}`),
  )
  const webhookTimes = ['disabledTime', 'failingSince', 'previousSecretUntil']
  assert.deepEqual(others.sort(), [
    ...webhookTimes.map((field) => `CreatedWebhookData.${field}`),
    ...['RcsButton.endTime', 'RcsButton.startTime', 'UploadData.expired'],
    ...webhookTimes.map((field) => `Webhook.${field}`),
    'WebhookFailure.retryTime',
  ])
})

test('describes every request that is pushed to webhooks', () => {
  const settings = { reportKeys: 'full', partCounts: false } as const
  const format = withMilliseconds(createTimeFormat('Asia/Seoul'))
  const push = (events: 'reports' | 'replies'): unknown =>
    JSON.parse(sampleBody(events, 'key', new Date(), format, settings))
  assert.ok(Value.Check(ReportSchema, push('reports')))
  assert.ok(Value.Check(ReplyRecord, push('replies')))
  assert.deepEqual(Object.keys(document.webhooks), ['report', 'reply', 'notice'])
})

test('every reference has a target', () => {
  for (const [path, node] of nodesOf(document)) {
    if (typeof node.$ref !== 'string') continue
    const kind = node.$ref.split('/')[2]!
    const there = document.components[kind] as Node
    assert.ok(Object.hasOwn(there, refName(node.$ref)), `${path}: ${node.$ref}`)
  }
})

test('describes every field of every object', () => {
  for (const [path, node] of nodesOf(document.components.schemas)) {
    if (typeof node.properties !== 'object' || path.endsWith('/properties')) continue
    for (const [name, field] of Object.entries(node.properties as Node)) {
      const { description, $ref } = field as { description?: string; $ref?: string }
      assert.ok(description !== undefined || $ref !== undefined, `${path}/${name} has no description`)
    }
  }
})

test('gives every named object a description', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok('description' in schema, name)
  }
})

test('every operation has a unique id and its links point to operations', () => {
  const ids = new Set(operations.map(({ id }) => id))
  assert.equal(ids.size, operations.length)
  for (const { id, links = {} } of operations) {
    for (const { operationId } of Object.values(links))
      assert.ok(ids.has(operationId), `${id} → ${operationId}`)
  }
})

test('every operation has an example of success, except those that return a file', () => {
  for (const { id, examples, response } of operations) {
    assert.ok('files' in response || examples.some(({ status }) => status === 200), id)
  }
})

test('every result code in the source of an endpoint or channel belongs to an operation', () => {
  const described = new Set(Object.keys(document['x-result-codes'] as object))
  const root = join(import.meta.dirname, '../../..')
  const folders = ['pipeline/accept', 'pipeline/batches', 'channels', 'records', 'edge/api', 'edge/webhooks']
  for (const folder of folders) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('testing')) continue
      const source = readFileSync(join(root, folder, file), 'utf8')
      for (const [, code] of source.matchAll(/'(A\d{3})'/g)) {
        assert.ok(code === 'A000' || described.has(code!), `${folder}/${file} returns ${code}`)
      }
    }
  }
})

test('every result code has the status of the table of result codes', () => {
  for (const [code, entry] of Object.entries(
    document['x-result-codes'] as Record<string, { status: number }>,
  )) {
    assert.ok(isResultCode(code), code)
    assert.equal(entry.status, resultCodes[code].status)
  }
})

test('names the credential headers of the configuration', () => {
  const text = JSON.stringify(createDocument({ credentialPrefix: 'IB' }))
  assert.match(text, /X-IB-Client-Id/)
  assert.doesNotMatch(text, /X-SVC-/)
})
