/**
 * Generated from the OpenAPI document: every operation with every role. A role without the right is refused
 * and recorded, and nothing changes; a role with the right is never refused for it. Requests without a key
 * are rejected. Objects of another account are not reachable under the path of an account. A client can call
 * the operations declared for clients, only for its own account, and cannot distinguish objects of others
 * from objects that do not exist.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin, type AdminResponse } from '../../test/support/http/admin.ts'
import { createAccount, recordOne } from '../../test/support/fixtures.ts'
import { insertCredential } from '../identity/accounts/credential-queries.ts'
import { createKey } from '../identity/accounts/key.ts'
import { hashPassword } from '../identity/accounts/password.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { operatorRoles, roles, type OperatorRole } from '../identity/operators/rights.ts'
import { insertWebhook } from '../edge/webhooks/queries.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../edge/webhooks/webhook.ts'
import type { AdminDocument } from './document.ts'

interface Described {
  readonly operationId: string
  /** Security requirements; an empty list means that no key is required. */
  readonly security?: readonly object[]
  readonly 'x-roles': readonly OperatorRole[]
  readonly 'x-access': 'read' | 'look' | 'change'
  readonly 'x-client'?: 'own' | 'self' | 'public'
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly 'x-audit-action': string
}

const admin = await createTestAdmin({ maxRefusals: 100_000 })
const ownId = await createAccount(admin.database, 'own', {
  passwordHash: await hashPassword('a password of a test'),
})
const foreignId = await createAccount(admin.database, 'foreign')
const keys = { ...admin.keys, client: await addTestOperator(admin.database, 'client', 'client', ownId) }
const document = (await admin.server.inject('/admin/v1/openapi.json')).json<AdminDocument>()
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    // IDs that do not exist: an authorised request fails with not-found.
    url: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === 'id' ? '1' : 'none')),
    ...(operation as Described),
  })),
)
const operations = described.filter(({ security }) => security === undefined)

/** IDs of objects of an account, by parameter name. */
type Ids = Readonly<Record<'clientId' | 'keyId' | 'senderId' | 'msgKey' | 'webhookId', string>>
const own = await addAll('own', ownId)
const foreign = await addAll('foreign', foreignId)
const absent: Ids = {
  clientId: 'nobody',
  keyId: createKey('00').keyId,
  senderId: '999999999',
  msgKey: createMsgKey('00', new Date()),
  webhookId: createWebhookId(new Date()),
}

async function addAll(clientId: string, accountId: number): Promise<Ids> {
  const { database } = admin
  const { keyId, hash } = createKey('00')
  await insertCredential(database, {
    accountId,
    keyId,
    kind: 'key',
    hash,
    name: 'main',
    scopes: null,
    networks: null,
    createdBy: 'test',
    endsAt: null,
  })
  const senders = await database.query<{ id: string }>(
    `insert into senders (account_id, kind, value, state, version) values ($1, 'number', '0212345678', 'pending', 1) returning id::text`,
    [accountId],
  )
  const { msgKey } = await recordOne(database, { accountId, ref: 'order' })
  const webhookId = createWebhookId(new Date())
  const url = 'https://127.0.0.1:1/reports'
  await insertWebhook(
    database,
    { ...webhookDefaults, timeoutSeconds: 1, id: webhookId, accountId, url, secret: createSecret() },
    20,
  )
  return { clientId, keyId, senderId: senders.rows[0]!.id, msgKey, webhookId }
}

test('only sign-in operations are open to unauthenticated callers', () => {
  assert.deepEqual(
    described
      .filter(({ security }) => security !== undefined)
      .map(({ operationId }) => operationId)
      .sort(),
    ['finishOidc', 'showSignIn', 'startOidc', 'startSession'],
  )
})

/** Rotating a key needs a separate key: streams that are still open would be refused. */
function keyFor(operationId: string, role: OperatorRole): string | Promise<string> {
  if (operationId !== 'rotateOwnKey') return keys[role]
  return addTestOperator(admin.database, `rotating-${role}`, role, role === 'client' ? ownId : undefined)
}

/** Closes a stream as soon as it has begun. */
async function callOnce(
  key: string | undefined,
  method: string,
  url: string,
): Promise<{ status: number; body: { code?: string } }> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const answer = await admin.server.inject({ method: method as 'GET', url, headers, payloadAsStream: true })
  const stream = answer.stream()
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
    stream.destroy()
    return { status: answer.statusCode, body: {} }
  }
  const chunks = (await stream.toArray()) as Buffer[]
  return {
    status: answer.statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()) as { code?: string },
  }
}
const countRows = async (): Promise<number> => (await listAudit(admin.database, { limit: 1 }))[0]?.seq ?? 0

for (const { operationId, method, url, ...operation } of operations) {
  test(`${operationId}: each role is allowed exactly its rights`, async () => {
    assert.equal((await callOnce(undefined, method, url)).status, 401)
    for (const role of operatorRoles) {
      const before = await countRows()
      const { status, body } = await callOnce(await keyFor(operationId, role), method, url)
      if (operation['x-roles'].includes(role)) {
        assert.ok(status !== 401 && body.code !== 'forbidden', `${role}: ${JSON.stringify(body)}`)
        assert.notEqual(status, 500, `${role}: ${JSON.stringify(body)}`)
        continue
      }
      assert.deepEqual([status, body.code], [403, 'forbidden'], role)
      const [row] = await listAudit(admin.database, { limit: 1 })
      assert.equal(row!.seq, before + 1)
      const { actor, action, result } = row!
      assert.deepEqual([actor, action, result], [role, operation['x-audit-action'], 'refused'])
    }
  })
}

for (const { operationId, method, path, 'x-client': forClients } of operations.filter(({ path: one }) =>
  /\{clientId\}.*\{/.test(one),
)) {
  test(`${operationId}: objects of another account are not found under this one`, async () => {
    const before = await snapshot()
    const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = name === 'clientId' ? 'own' : foreign[name as keyof Ids]
      assert.ok(value, `no foreign ${name}`)
      return value
    })
    for (const key of [keys.admin, ...(forClients ? [keys.client] : [])]) {
      const { status, body } = await admin.callWith(key, method, url, bodyFor(method))
      assert.deepEqual([status, body.code], [404, 'not-found'], JSON.stringify(body))
    }
    assert.deepEqual(await snapshot(), before)
  })
}

const bodyFor = (method: string): object | undefined =>
  method === 'GET' || method === 'DELETE' ? undefined : { reason: 'a test' }

async function snapshot(): Promise<unknown> {
  const read = async (table: string): Promise<unknown[]> =>
    (await admin.database.query<object>(`select * from ${table} order by id`)).rows
  return [await read('credentials'), await read('senders'), await read('webhooks'), await read('accounts')]
}

const ofClients = operations.filter((operation) => operation['x-client'] === 'own')

/**
 * Fields that a request requires besides the IDs, per operation: in the body, or in the query of a request
 * without one.
 */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  searchRecipient: { recipient: '01012345678' },
  addCredential: { name: 'main' },
  addSender: { kind: 'number', value: '0212340000' },
  setWebhook: { name: 'reports' },
  countReplay: { allSince: new Date().toISOString() },
  replayWebhook: { allSince: new Date().toISOString() },
}

/** Calls an operation with the given IDs wherever it accepts one. */
function callWithIds(operation: (typeof ofClients)[number], ids: Ids): Promise<AdminResponse> {
  const { operationId, method, path, parameters = [] } = operation
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name as keyof Ids])
  const isBodyless = method === 'GET' || method === 'DELETE'
  const fields = {
    ...needed[operationId],
    ...(operationId === 'searchRecipient' ? { account: ids.clientId } : {}),
    ...(operation['x-access'] === 'read' ? {} : { reason: 'a test' }),
  }
  const query = new URLSearchParams({
    ...(parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'account')
      ? { account: ids.clientId }
      : {}),
    ...(isBodyless ? fields : {}),
  })
  return admin.callWith(keys.client, method, `${url}?${query.toString()}`, isBodyless ? undefined : fields)
}

for (const operation of ofClients) {
  test(`${operation.operationId}: a client cannot reach another account, nor detect that it exists`, async () => {
    const before = await snapshot()
    const rows = await countRows()
    const [there, nowhere] = [await callWithIds(operation, foreign), await callWithIds(operation, absent)]
    assert.deepEqual([there.status, there.body.code], [404, 'not-found'], JSON.stringify(there.body))
    const comparable = (answer: AdminResponse, ids: Ids): unknown =>
      [ids.clientId, ids.msgKey, ids.webhookId].reduce(
        (left, id) => left.replaceAll(id, 'id'),
        JSON.stringify(answer.body),
      )
    assert.equal(comparable(there, foreign), comparable(nowhere, absent))
    assert.deepEqual(await snapshot(), before)
    const [row] = await listAudit(admin.database, { limit: 1 })
    assert.deepEqual(
      [row!.seq, row!.actor, row!.role, row!.action, row!.result],
      [rows + 2, 'client', 'client', operation['x-audit-action'], 'refused'],
    )
  })

  test(`${operation.operationId}: a client uses its own account, and sees nothing internal or of others`, async () => {
    const { status, body } = await callWithIds(operation, own)
    assert.ok([200, 409].includes(status), JSON.stringify(body))
    const text = JSON.stringify(body)
    for (const id of Object.values(foreign)) assert.ok(!text.includes(`"${id}"`), `${id} in ${text}`)
    assert.deepEqual(internalIn(dataSchema(operation), body.data), [])
  })
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema & { readonly 'x-internal'?: boolean }>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function dataSchema(operation: object): Schema {
  const { responses } = operation as {
    responses: { '200': { content: { 'application/json': { schema: Schema } } } }
  }
  return responses['200'].content['application/json'].schema.properties!['data']!
}

function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.split('/').at(-1)!] as Schema
}

/** Returns the names of internal fields in a response, according to the document. */
function internalIn(described: Schema, data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  const schema = resolve(described)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((member) => internalIn(member, data))
  if (Array.isArray(data)) return data.flatMap((item) => internalIn(schema.items ?? {}, item))
  return Object.entries(data).flatMap(([name, value]) => {
    const field = schema.properties?.[name]
    return field?.['x-internal'] === true ? [name] : internalIn(field ?? {}, value)
  })
}

test('operations of the installation are refused to clients: routes, parked jobs, rules, audit log', () => {
  const forClients = operations.filter((operation) => operation['x-client'] !== undefined)
  const tags = new Set(forClients.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []))
  assert.deepEqual([...tags].sort(), ['Accounts', 'Messages', 'Senders', 'Sign-in', 'Usage', 'Webhooks'])
  for (const operation of forClients) assert.ok(operation['x-roles'].includes('client'))
  assert.equal(roles.includes('client' as never), false)
})
