import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { selfSigned } from '../../../../test/support/engines/certificate.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { startTcpProxy } from '../../../../test/support/processes/haproxy.ts'
import { createMemoryLog } from '../../../../test/support/memory-log.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { SmppClient } from '../../../../test/support/smpp/client.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Credential } from '../../../identity/accounts/credential.ts'
import type { AccountDirectory, AccountEntry } from '../../../identity/accounts/directory.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { SmppServer } from './server.ts'

const certificate = { ...selfSigned('127.0.0.1'), minVersion: 'TLSv1.2' as const }
const account = { id: 1, clientId: 'shop', smppBinds: 50, blocked: false }
const credential = { id: 1, hash: 'x', scopes: null, endsAt: null, revokedAt: null }

interface ListenOptions {
  readonly isSecure?: boolean
  readonly bindTimeoutMs?: number
  readonly proxyProtocol?: boolean
  readonly log?: Log
  readonly knownAddresses?: readonly string[]
}

async function listen({
  isSecure = false,
  bindTimeoutMs = 5_000,
  proxyProtocol = false,
  log = silentLog,
  knownAddresses = [],
}: ListenOptions = {}) {
  const addresses: string[] = []
  const accounts = {
    value: { byId: new Map([[1, { ...account }]]), credentials: new Map([[1, credential]]) },
  }
  const metrics = testMetrics()
  const server = new SmppServer({
    accounts: accounts as unknown as AccountDirectory,
    metrics,
    log,
    maxConnections: 1_000,
    knownAddresses,
    proxyProtocol,
    checkLogin: ({ address }) => {
      addresses.push(address)
      return Promise.resolve({
        account: accounts.value.byId.get(1)! as unknown as AccountEntry,
        credential: credential as unknown as Credential,
      })
    },
    binds: { register: () => Promise.resolve(true), unregister: () => Promise.resolve() },
    submit: () => Promise.resolve({ status: 0, messageId: 'm' }),
    requireFresh: () => undefined,
    onRoom: () => undefined,
    limits: {
      bindTimeoutMs,
      window: 5,
      deliverWindow: 3,
      responseTimeoutMs: 2_000,
      maxPduBytes: 8_192,
      enquireIntervalMs: 60_000,
      enquireTimeoutMs: 60_000,
      maxBacklogBytes: 65_536,
    },
  })
  await server.listen('127.0.0.1', 0, isSecure ? certificate : undefined)
  addCleanup(() => server.stop(100))
  return { server, metrics, accounts: accounts.value, addresses }
}

/** Maximum unbound connections of a network, as in `unbound-connections.ts`. */
const maxUnbound = 20
/** Maximum unbound connections of all networks from which no client has logged in. */
const maxUnknown = 100

/** Opens connections that stay silent. */
async function openSilent(port: number, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, localAddress }))
  addCleanup(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => undefined).resume()
      return once(socket, 'connect')
    }),
  )
  return sockets
}

const readUnbound = async (metrics: Metrics) =>
  (await metrics.smppConnections.get()).values.find(({ labels }) => labels.state === 'unbound')?.value

for (const isSecure of [true, false]) {
  const transport = isSecure ? 'over TLS' : 'in plaintext'

  test(`silent connections of an address are limited, ${transport}`, async () => {
    const { server, metrics } = await listen({ isSecure, bindTimeoutMs: 30_000 })
    const silent = await openSilent(server.port, 30)
    const isLimited = (): boolean => silent.filter(({ closed }) => closed).length === 30 - maxUnbound
    await waitFor('those above the limit to be closed', isLimited)
    assert.equal(await readUnbound(metrics), maxUnbound)
    for (const socket of silent) socket.destroy()
    await waitFor('none to be counted', async () => (await readUnbound(metrics)) === 0)
    const client = await SmppClient.connect(server.port, isSecure ? { ca: certificate.cert } : {})
    addCleanup(() => client.close())
    assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
  })

  test(`a silent connection ends, ${transport}`, async () => {
    const { server, metrics } = await listen({ isSecure, bindTimeoutMs: 300 })
    const silent = await openSilent(server.port, 3)
    await waitFor('all to be closed', () => silent.every(({ closed }) => closed))
    await waitFor('none to be counted', async () => (await readUnbound(metrics)) === 0)
  })
}

test('silent connections from many addresses do not block clients that have logged in before', async () => {
  const { server, metrics } = await listen({ bindTimeoutMs: 30_000, knownAddresses: ['127.0.1.1'] })
  const bindFrom = async (localAddress: string): Promise<number> => {
    const client = await SmppClient.connect(server.port, { localAddress })
    addCleanup(() => client.close())
    return client.bind('shop', 'secret')
  }
  assert.equal(await bindFrom('127.0.1.2'), statuses.ESME_ROK)
  const silent: Socket[] = []
  for (let n = 0; n < 11; n++) silent.push(...(await openSilent(server.port, maxUnbound, `127.0.2.${n + 1}`)))
  const countOpen = (): number => silent.filter(({ closed }) => !closed).length
  await waitFor('those above the limit to be closed', () => countOpen() === maxUnknown)
  assert.equal(await readUnbound(metrics), maxUnknown)
  await assert.rejects(bindFrom('127.0.1.3'))
  for (const address of ['127.0.1.1', '127.0.1.2']) assert.equal(await bindFrom(address), statuses.ESME_ROK)
  for (const socket of silent) socket.destroy()
  await waitFor('none to be counted', async () => (await readUnbound(metrics)) === 0)
  assert.equal(await bindFrom('127.0.1.3'), statuses.ESME_ROK)
})

test('silent clients behind a proxy do not block the bind of another client', async () => {
  const { server, addresses } = await listen({ bindTimeoutMs: 30_000, proxyProtocol: true })
  const silent = await openSilent(server.port, 25)
  for (const socket of silent) socket.write('PROXY TCP4 192.0.2.1 127.0.0.1 40000 2775\r\n')
  const isLimited = (): boolean => silent.filter(({ closed }) => closed).length === 25 - maxUnbound
  await waitFor('the limit of the address', isLimited)
  const client = await SmppClient.connect(server.port)
  addCleanup(() => client.close())
  client.socket.write('PROXY TCP6 2001:db8::7 2001:db8::1 40000 2775\r\n')
  assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
  assert.deepEqual(addresses, ['2001:db8::7'])
})

test('a connection without a complete PROXY header within the time limit is closed', async () => {
  const { server, metrics } = await listen({ bindTimeoutMs: 50, proxyProtocol: true })
  const [silent] = await openSilent(server.port, 1)
  silent!.write('PROXY TCP4 ')
  await waitFor('the end', () => silent!.closed)
  await waitFor('none to be counted', async () => (await readUnbound(metrics)) === 0)
})

for (const proxyProtocol of [true, false]) {
  const condition = proxyProtocol ? 'without a PROXY header' : 'with a PROXY header'
  test(`a connection ${condition} is closed if the setting is ${proxyProtocol ? 'yes' : 'no'}`, async () => {
    const { server, addresses } = await listen({ bindTimeoutMs: 30_000, proxyProtocol })
    const client = await SmppClient.connect(server.port)
    addCleanup(() => client.close())
    if (!proxyProtocol) client.socket.write('PROXY TCP4 192.0.2.1 127.0.0.1 40000 2775\r\n')
    await assert.rejects(client.bind('shop', 'secret'))
    assert.deepEqual(addresses, [])
  })
}

test('HAProxy passes on the client address in both versions, with TLS and without', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-proxy-'))
  addCleanup(() => rmSync(directory, { recursive: true, force: true }))
  const plain = await listen({ proxyProtocol: true })
  const secure = await listen({ proxyProtocol: true, isSecure: true })
  const targets = [plain, secure].flatMap(({ server: { port } }) =>
    ['send-proxy', 'send-proxy-v2'].map((option) => [port, option] as const),
  )
  const proxy = await startTcpProxy(targets, directory)
  addCleanup(() => proxy.stop())
  for (const [index, port] of proxy.ports.entries()) {
    const ca = index < 2 ? {} : { ca: certificate.cert }
    const client = await SmppClient.connect(port, { localAddress: '127.0.0.2', ...ca })
    addCleanup(() => client.close())
    assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
    assert.equal((await client.submit()).status, statuses.ESME_ROK)
  }
  assert.deepEqual([...plain.addresses, ...secure.addresses], new Array(4).fill('127.0.0.2'))
})

test('refused binds with the same status cause one log line every few seconds', async () => {
  const { log, lines } = createMemoryLog()
  const { server } = await listen({ log })
  for (let n = 0; n < 3; n++) {
    const client = await SmppClient.connect(server.port)
    addCleanup(() => client.close())
    assert.equal(await client.bind('', ''), statuses.ESME_RINVPASWD)
  }
  assert.equal(lines.filter((line) => line.includes('an SMPP bind was refused')).length, 1)
})

test('a bound connection over TLS does not count as unbound', async () => {
  const { server, metrics } = await listen({ isSecure: true })
  for (let n = 0; n < 25; n++) {
    const client = await SmppClient.connect(server.port, { ca: certificate.cert })
    addCleanup(() => client.close())
    assert.equal(await client.bind('shop', 'secret'), statuses.ESME_ROK)
  }
  assert.equal(await readUnbound(metrics), 0)
})

test('a submit of an account that is blocked is refused, and its bind ends', async () => {
  const { server, accounts } = await listen()
  const client = await SmppClient.connect(server.port)
  addCleanup(() => client.close())
  await client.bind('shop', 'secret')
  assert.equal((await client.submit()).status, statuses.ESME_ROK)
  accounts.byId.set(1, { ...account, blocked: true })
  assert.equal((await client.submit()).status, statuses.ESME_RINVBNDSTS)
  await waitFor('the end of the bind', () => client.closed)
})
