/** A change whose body is withheld is authorised when the body is complete, and blocks no other request. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { enrol } from '../../test/support/http/browser.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createAccount, setBlocked } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'

const admin = await createTestAdmin()
const { database, server } = admin
const shop = await createAccount(database, 'shop')
const key = await addTestOperator(database, 'park', 'client', shop)
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as AddressInfo
const body = JSON.stringify({ name: 'server' })
/** Maximum concurrent bodies of an account, or of an operator without one. */
const maxBodies = 8

interface Change {
  readonly socket: Socket
  answer: string
}

async function sendHeaders(credentials: string, account: string): Promise<Change> {
  const socket = connect(port, '127.0.0.1')
  addCleanup(() => void socket.destroy())
  const change = { socket, answer: '' }
  socket.on('data', (chunk: Buffer) => (change.answer += chunk.toString()))
  await once(socket, 'connect')
  socket.write(
    `POST /admin/v1/accounts/${account}/credentials HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${credentials}\r\n\r\n`,
  )
  return change
}

/**
 * Sends headers until one is refused. The refusal shows that the headers of all others were authenticated.
 */
async function sendAllHeaders(credentials: string, account = 'shop'): Promise<Change[]> {
  const changes: Change[] = []
  for (let nth = 0; nth <= maxBodies; nth += 1) changes.push(await sendHeaders(credentials, account))
  const refused = await waitFor('the refusal of one', () => changes.find(({ answer }) => answer !== ''))
  assert.match(refused.answer, /^HTTP\/1.1 429/)
  refused.socket.destroy()
  return changes.filter((change) => change !== refused)
}

async function sendBody(change: Change): Promise<string> {
  change.socket.write(body)
  await once(change.socket, 'close')
  return change.answer
}

/** Returns the statuses of changes whose headers arrive before `meanwhile`, and their bodies after it. */
async function actAfter(credentials: string, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const changes = await sendAllHeaders(credentials)
  await meanwhile()
  const answers: string[] = []
  for (const change of changes) answers.push(await sendBody(change))
  return [...new Set(answers.map((answer) => answer.slice(9, 12)))]
}

test('withheld bodies block neither other clients nor other requests of the same client', async () => {
  const changes: Change[] = []
  const keys: string[] = []
  for (const name of ['first', 'second', 'third', 'fourth']) {
    const clientKey = await addTestOperator(database, name, 'client', await createAccount(database, name))
    keys.push(clientKey)
    changes.push(...(await sendAllHeaders(`Authorization: Bearer ${clientKey}`, name)))
  }
  for (const clientKey of [key, keys[0]])
    assert.equal((await admin.callWith(clientKey, 'GET', '/admin/v1/me')).status, 200)
  const addTo = (account: string, of: string | undefined) =>
    admin.callWith(of, 'POST', `/admin/v1/accounts/${account}/credentials`, { name: 'other' })
  assert.equal((await addTo('shop', key)).status, 200)
  assert.match(await sendBody(changes[0]!), /^HTTP\/1.1 200/)
  for (const { socket } of changes) socket.destroy()
  await waitFor('room for bodies', async () => (await addTo('fourth', keys[3])).status === 200)
})

test('withheld bodies of operators block no other operator', async () => {
  const changes: Change[] = []
  for (let nth = 0; nth < 8; nth += 1) {
    const adminKey = await addTestOperator(database, `slow-${nth}`, 'admin')
    changes.push(...(await sendAllHeaders(`Authorization: Bearer ${adminKey}`)))
  }
  assert.equal((await admin.call('admin', 'GET', '/admin/v1/me')).status, 200)
  for (const { socket } of changes) socket.destroy()
})

const withKey = `Authorization: Bearer ${key}`

test('a change is refused if the account is blocked between its headers and its body', async () => {
  assert.deepEqual(await actAfter(withKey, () => setBlocked(database, 'shop', true)), ['409'])
  assert.deepEqual(await actAfter(withKey, () => setBlocked(database, 'shop', false)), ['200'])
})

test('a change is refused if the session ends between its headers and its body', async () => {
  const { browser } = await enrol(database, server, 'park')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const inSession = `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin`
  const end = () => database.query('update operator_sessions set ends_at = now()')
  assert.deepEqual(await actAfter(inSession, end), ['401'])
})

test('a change is refused if the operator is disabled between its headers and its body', async () => {
  const disable = () => database.query(`update operators set disabled_at = now() where name = 'park'`)
  assert.deepEqual(await actAfter(withKey, disable), ['401'])
})
