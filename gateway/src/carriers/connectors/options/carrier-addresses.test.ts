import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { recorded, testConnector } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { CarrierAddresses } from './carrier-addresses.ts'
import { HttpClient } from '../http/http-client.ts'

delete process.env['POSTERN_ROUTE_NETWORKS']

/** Counts the connections to a port of all interfaces of this machine. */
async function listen(t: TestContext): Promise<{ port: number; count: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).destroy()
  })
  server.listen(0)
  await once(server, 'listening')
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, count: () => connections }
}

const limits = { connections: 1, connectTimeoutMs: 5_000, timeoutMs: 5_000, maxAnswerBytes: 1_000 }

test('HTTP requests do not connect to loopback, whatever its spelling', async (t) => {
  const { port, count } = await listen(t)
  const client = new HttpClient(limits)
  t.after(() => client.stop())
  for (const scheme of ['http', 'https'])
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'])
      assert.deepEqual(
        await client.send({ method: 'POST', url: `${scheme}://${host}:${port}/`, body: 'x' }),
        { kind: 'not-sent', code: 'refused-address' },
        `${scheme} ${host}`,
      )
  assert.equal(count(), 0)
})

test('SMPP sessions do not connect to loopback, and the link reports why', async (t) => {
  const { port, count } = await listen(t)
  for (const tls of [undefined, { verify: false }])
    for (const host of ['127.0.0.1', 'localhost']) {
      const record = recorded()
      const connector = testConnector(port, { host, tls }, record)
      t.after(() => connector.stop())
      await waitFor('a link failure', () => record.linkFailures.length > 0)
      assert.match(record.linkFailures[0]!, /must not connect to loopback.*POSTERN_ROUTE_NETWORKS/)
    }
  assert.equal(count(), 0)
})

test('link-local and metadata addresses are refused; public and private ones are not', () => {
  const addresses = new CarrierAddresses()
  const refused = ['169.254.169.254', 'fe80::1', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']
  for (const address of [...refused, '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '::', '224.0.0.1'])
    assert.throws(() => addresses.requireAllowed(address), { code: 'refused-address' }, address)
  for (const address of [
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
    '8.8.8.8',
    '2600::1',
  ])
    assert.doesNotThrow(() => addresses.requireAllowed(address), address)
})
