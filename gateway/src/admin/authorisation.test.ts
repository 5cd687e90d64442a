/**
 * Generated from the OpenAPI document: every operation with every role. A role without the right is refused and recorded, and nothing
 * changes; a role with it is never refused as such. Without a key nothing is answered. What another account has is not reached under an
 * account's path.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/admin.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { insertCredential } from '../accounts/credential-queries.ts'
import { createKey } from '../accounts/key.ts'
import { listAudit } from '../audit/queries.ts'
import { roles, type Role } from '../operators/rights.ts'
import type { AdminDocument } from './document.ts'

interface Described {
  readonly operationId: string
  /** Empty: without a key. */
  readonly security?: readonly object[]
  readonly 'x-roles': readonly Role[]
  readonly 'x-audit-action': string
}

const admin = await createTestAdmin({ maxRefusals: 100_000 })
const document = (await admin.server.inject('/admin/v1/openapi.json')).json<AdminDocument>()
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    // Ids of nothing: whoever may do it gets as far as to be told so.
    url: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === 'id' ? '1' : 'none')),
    ...(operation as Described),
  })),
)
const operations = described.filter(({ security }) => security === undefined)

test('nothing is open to everybody but what signs operators in', () => {
  assert.deepEqual(
    described
      .filter(({ security }) => security !== undefined)
      .map(({ operationId }) => operationId)
      .sort(),
    ['finishOidc', 'showSignIn', 'startOidc', 'startSession'],
  )
})

/** A stream is closed as soon as it has begun. */
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
  test(`${operationId}: each role may do what it may, and no more`, async () => {
    assert.equal((await callOnce(undefined, method, url)).status, 401)
    for (const role of roles) {
      const before = await countRows()
      const { status, body } = await callOnce(admin.keys[role], method, url)
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

/** What another account has, by the name of the parameter. */
const foreign: Readonly<Record<string, string>> = await addForeign()

async function addForeign(): Promise<Record<string, string>> {
  const { database } = admin
  await createAccount(database, 'own')
  const accountId = await createAccount(database, 'foreign')
  const { keyId, hash } = createKey('00')
  await insertCredential(database, {
    ...{ accountId, keyId, kind: 'key', hash, name: 'main', scopes: null, networks: null },
    ...{ createdBy: 'test', endsAt: null },
  })
  await database.query(
    `insert into senders (account_id, kind, value, state, version) values ($1, 'number', '0212345678', 'pending', 1)`,
    [accountId],
  )
  const senders = await database.query<{ id: string }>('select id::text from senders')
  return { keyId, senderId: senders.rows[0]!.id }
}

for (const { operationId, method, path } of operations.filter(({ path: one }) =>
  /\{clientId\}.*\{/.test(one),
)) {
  test(`${operationId}: what another account has is not found under this one`, async () => {
    const before = await snapshot()
    const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = name === 'clientId' ? 'own' : foreign[name]
      assert.ok(value !== undefined, `no foreign ${name}`)
      return value
    })
    const { status, body } = await admin.callWith(admin.keys.admin, method, url, bodyFor(method))
    assert.deepEqual([status, body.code], [404, 'not-found'], JSON.stringify(body))
    assert.deepEqual(await snapshot(), before)
  })
}

const bodyFor = (method: string): object | undefined =>
  method === 'GET' || method === 'DELETE' ? undefined : { reason: 'a test' }

async function snapshot(): Promise<unknown> {
  const read = async (table: string): Promise<unknown[]> =>
    (await admin.database.query<object>(`select * from ${table} order by id`)).rows
  return [await read('credentials'), await read('senders')]
}
