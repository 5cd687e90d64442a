import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientDocument } from './client-document.ts'
import type { JsonObject } from './client-schema.ts'
import { createDocument } from './document.ts'
import { refName } from './ref.ts'

const document = createClientDocument()
const components = document.components as Readonly<Record<string, JsonObject>>

function* nodesOf(node: unknown, path = ''): Generator<[path: string, node: JsonObject]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [path, node as JsonObject]
  for (const [key, inner] of Object.entries(node)) yield* nodesOf(inner, `${path}/${key}`)
}

const listOperations = (paths: unknown): JsonObject[] =>
  Object.values(paths as Record<string, Record<string, JsonObject>>).flatMap((methods) =>
    Object.values(methods),
  )

const operations = listOperations(document.paths)

test('has every operation except three with CSV, lines of JSON or an image', () => {
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const missing = listOperations(createDocument().paths).filter(({ operationId }) => !ids.has(operationId))
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    ['uploadRecipients', 'downloadBatchResults', 'fetchImage'],
  )
})

test('an operation has one response type and named errors', () => {
  for (const { operationId, responses } of operations) {
    const { 200: success, ...errors } = responses as Record<string, JsonObject>
    assert.deepEqual(Object.keys(success!.content as object), ['application/json'], operationId as string)
    assert.match(JSON.stringify(success!.content), /^{"application\/json":{"schema":{"\$ref":"[^"]*"}}}$/)
    for (const [status, error] of Object.entries(errors))
      assert.deepEqual(Object.keys(error), ['$ref'], `${operationId as string} ${status}`)
  }
})

test('has no keyword that generators interpret differently', () => {
  const words = [
    'anyOf',
    'oneOf',
    'allOf',
    'const',
    'links',
    'default',
    'examples',
    'title',
    'patternProperties',
  ]
  for (const [path, node] of nodesOf(document)) {
    if (path.endsWith('/properties') || path === '/info') continue
    for (const word of words) assert.ok(!(word in node), `${path} has ${word}`)
    assert.ok(!Array.isArray(node.type), `${path} has several types`)
  }
})

test('responses allow new fields, requests do not', () => {
  const schemas = components.schemas as Readonly<Record<string, JsonObject>>
  assert.equal(schemas.SmsMessage!.additionalProperties, false)
  for (const [name, schema] of Object.entries(schemas))
    if (/(?:Response|Data)$|^(?:Report|Usage|Webhook)$/.test(name))
      assert.ok(!JSON.stringify(schema).includes('"additionalProperties":false'), name)
})

test('defaults are in descriptions only, because generated clients would send them', () => {
  const getFields = (name: string) =>
    (components.schemas![name] as JsonObject).properties as Record<string, JsonObject>
  assert.match(getFields('WebhookRequest').perSecond!.description as string, /Default: 100$/)
  assert.doesNotMatch(JSON.stringify(getFields('WebhookChange')), /Default: /)
})

test('a union is one type', () => {
  const schemas = components.schemas as Record<string, { properties: Record<string, JsonObject> }>
  const { BrandmessageMessage, SuppressionData, FlowStep, OmniRequest } = schemas
  assert.equal(BrandmessageMessage!.properties.imageVariable!.type, 'array')
  assert.equal(SuppressionData!.properties.since!.nullable, true)
  assert.deepEqual(Object.keys(FlowStep!.properties).sort(), [
    ...['alimtalk', 'brandmessage', 'friendtalk', 'mms', 'rcs', 'sms'],
  ])
  assert.deepEqual((OmniRequest as JsonObject).required, ['destinations'])
  assert.ok('messageFlow' in OmniRequest!.properties && 'messageForm' in OmniRequest!.properties)
})

test('has the objects that are pushed, and no object that nothing uses', () => {
  const names = Object.keys(components.schemas!)
  for (const name of ['Report', 'ReplyRecord', 'WebhookNotice']) assert.ok(names.includes(name), name)
  assert.deepEqual(
    names.filter((name) => /^DryRun|FlowStep$/.test(name)),
    ['FlowStep'],
  )
})

test('every reference has a target', () => {
  for (const [path, { $ref }] of nodesOf(document)) {
    if (typeof $ref !== 'string') continue
    assert.ok(Object.hasOwn(components[$ref.split('/')[2]!]!, refName($ref)), `${path}: ${$ref}`)
  }
})
