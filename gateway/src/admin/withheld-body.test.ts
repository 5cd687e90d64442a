/** Whoever sends the headers of a change and keeps its body back acts with the rights of the moment at which the body is complete. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { addOperator, createTestAdmin } from '../../test/support/admin.ts'
import { enrol } from '../../test/support/browser.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { setBlocked } from '../accounts/queries.ts'

const admin = await createTestAdmin()
const { database, server } = admin
const shop = await createAccount(database, 'shop')
const key = await addOperator(database, 'park', 'client', shop)
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as AddressInfo
const body = JSON.stringify({ name: 'server' })
/** As many as an account may have in progress: that another is refused shows that all of these were authenticated. */
const places = 8

async function sendHeaders(credentials: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /admin/v1/accounts/shop/credentials HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${credentials}\r\n\r\n`,
  )
  return socket
}

async function sendBody(socket: Socket): Promise<string> {
  socket.write(body)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

/** The statuses of changes whose headers arrive before `meanwhile`, and their bodies after it. */
async function actAfter(credentials: string, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const sockets: Socket[] = []
  for (let nth = 0; nth < places; nth += 1) sockets.push(await sendHeaders(credentials))
  await waitFor(
    'the headers',
    async () => (await admin.callWith(key, 'GET', '/admin/v1/me')).body.code === 'too-many-requests',
  )
  await meanwhile()
  const answers: string[] = []
  for (const socket of sockets) answers.push(await sendBody(socket))
  return [...new Set(answers.map((answer) => answer.slice(9, 12)))]
}

const withKey = `Authorization: Bearer ${key}`

test('a block between the headers and the body of a change refuses it', async () => {
  assert.deepEqual(await actAfter(withKey, () => setBlocked(database, 'shop', true)), ['409'])
  assert.deepEqual(await actAfter(withKey, () => setBlocked(database, 'shop', false)), ['200'])
})

test('so does the end of a session', async () => {
  const { browser } = await enrol(database, server, 'park')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const inSession = `Cookie: ${cookie}\r\nSec-Fetch-Site: same-origin`
  const end = () => database.query('update operator_sessions set ends_at = now()')
  assert.deepEqual(await actAfter(inSession, end), ['401'])
})

test('so does disabling the operator', async () => {
  const disable = () => database.query(`update operators set disabled_at = now() where name = 'park'`)
  assert.deepEqual(await actAfter(withKey, disable), ['401'])
})
