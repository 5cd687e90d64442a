/** Connections to the server before and after their bind: those without a TLS handshake end, and an account that moves may send again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { selfSigned } from '../../test/support/certificate.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { quietLog, testMetrics } from '../../test/support/silent-log.ts'
import { SmppClient } from '../../test/support/smpp/client.ts'
import { waitFor } from '../../test/support/wait.ts'
import type { Credential } from '../accounts/credential.ts'
import type { AccountDirectory, AccountEntry } from '../accounts/directory.ts'
import type { Metrics } from '../platform/metrics.ts'
import { statuses } from '../smpp/status.ts'
import { SmppServer } from './server.ts'

const certificate = { ...selfSigned('127.0.0.1'), minVersion: 'TLSv1.2' as const }
const account = { id: 1, clientId: 'shop', smppBinds: 50, blocked: false, moving: false, servedBy: null }
const credential = { id: 1, hash: 'x', scopes: null, endsAt: null, revokedAt: null }

async function listen(isSecure: boolean, bindTimeoutMs = 5_000) {
  const accounts = {
    value: { byId: new Map([[1, { ...account }]]), credentials: new Map([[1, credential]]) },
  }
  const metrics = testMetrics()
  const server = new SmppServer({
    ...{ accounts: accounts as unknown as AccountDirectory, metrics, log: quietLog, maxConnections: 1_000 },
    checkLogin: () =>
      Promise.resolve({
        account: accounts.value.byId.get(1)! as unknown as AccountEntry,
        credential: credential as unknown as Credential,
      }),
    binds: { take: () => Promise.resolve(true), end: () => Promise.resolve() },
    submit: () => Promise.resolve({ status: 0, messageId: 'm' }),
    ...{ requireFresh: () => undefined, onRoom: () => undefined },
    limits: {
      ...{ bindTimeoutMs, window: 5, deliverWindow: 3, responseTimeoutMs: 2_000, maxPduBytes: 8_192 },
      ...{ enquireIntervalMs: 60_000, enquireTimeoutMs: 60_000, maxBacklogBytes: 65_536 },
    },
  })
  await server.listen('127.0.0.1', 0, isSecure ? certificate : undefined)
  atEnd(() => server.stop(100))
  return { server, metrics, accounts: accounts.value }
}

/** Opens connections and says nothing. */
async function openSilent(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port }))
  atEnd(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => undefined).resume()
      return once(socket, 'connect')
    }),
  )
  return sockets
}

const unboundOf = async (metrics: Metrics) =>
  (await metrics.smppConnections.get()).values.find(({ labels }) => labels.state === 'unbound')?.value

for (const isSecure of [true, false]) {
  const way = isSecure ? 'over TLS' : 'in clear'

  test(`connections that say nothing are bounded for an address, ${way}`, async () => {
    const { server, metrics } = await listen(isSecure, 30_000)
    const silent = await openSilent(server.port, 30)
    const isLimited = (): boolean => silent.filter(({ closed }) => closed).length === 10
    await waitFor('those above the limit to be closed', isLimited)
    assert.equal(await unboundOf(metrics), 20)
    for (const socket of silent) socket.destroy()
    await waitFor('none to be counted', async () => (await unboundOf(metrics)) === 0)
    const client = await SmppClient.connect(server.port, isSecure ? { ca: certificate.cert } : {})
    atEnd(() => client.close())
    assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
  })

  test(`a connection that says nothing ends, ${way}`, async () => {
    const { server, metrics } = await listen(isSecure, 300)
    const silent = await openSilent(server.port, 3)
    await waitFor('all to be closed', () => silent.every(({ closed }) => closed))
    await waitFor('none to be counted', async () => (await unboundOf(metrics)) === 0)
  })
}

test('a bound connection over TLS does not count as one that is not', async () => {
  const { server, metrics } = await listen(true)
  for (let n = 0; n < 25; n++) {
    const client = await SmppClient.connect(server.port, { ca: certificate.cert })
    atEnd(() => client.close())
    assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
  }
  assert.equal(await unboundOf(metrics), 0)
})

test('while its account moves a submit is refused for now, and afterwards the bind ends', async () => {
  const { server, accounts } = await listen(false)
  const client = await SmppClient.connect(server.port)
  atEnd(() => client.close())
  await client.bind('shop', 'secret')
  assert.equal((await client.submit()).status, statuses.ESME_ROK)
  accounts.byId.set(1, { ...account, moving: true })
  assert.equal((await client.submit()).status, statuses.ESME_RSYSERR)
  await waitFor('the end of the bind', () => client.closed)
})
