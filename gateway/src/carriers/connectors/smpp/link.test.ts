import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { recorded, submission, testConnector } from '../../../../test/support/smpp/fixtures.ts'
import type { Script } from '../../../../test/support/smpp/peer.ts'
import { PeerSession } from '../../../../test/support/smpp/peer.ts'
import { accept, linked, unlinkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses } from '../../smpp/status.ts'

/** The default pause after a refused login is five minutes, of which jitter removes up to a half. */
const minLoginPauseMs = 150_000

test('a password that is refused repeatedly is logged as one alarm', async (t) => {
  const refuse: Script = {
    bind_transceiver: (pdu, peer) =>
      peer.send('bind_transceiver_resp', statuses.ESME_RINVPASWD, pdu.sequence, { systemId: '' }),
  }
  const { peer, connector, record } = await unlinkedCarrier(t, (index) => (index < 6 ? refuse : {}), {
    sessions: 2,
    loginPauseMs: 4,
  })
  await linked(connector)
  assert.ok(peer.sessions.length >= 6)
  const alarms = record.lines.filter(({ level }) => level === 'error')
  assert.equal(alarms.length, 1)
  assert.match(JSON.stringify(alarms[0]), /ESME_RINVPASWD/)
  assert.match(
    record.linkFailures[0]!,
    /^the carrier refuses the system id or the password: ESME_RINVPASWD \(\S+\)$/,
  )
  assert.deepEqual(new Set(record.events), new Set(['account-refused']))
  assert.doesNotMatch(JSON.stringify(record.lines), /secret08/)
})

test('a refused password is followed by the long pause', async (t) => {
  const { record } = await unlinkedCarrier(t, {
    bind_transceiver: (pdu, peer) =>
      peer.send('bind_transceiver_resp', statuses.ESME_RINVPASWD, pdu.sequence, { systemId: '' }),
  })
  await waitFor('the alarm', () => record.lines.length > 0)
  const { pauseMs } = record.lines[0]!.fields as { pauseMs: number }
  assert.ok(pauseMs >= minLoginPauseMs)
})

const bindFails: Script = {
  bind_transceiver: (pdu, peer) =>
    peer.send('bind_transceiver_resp', statuses.ESME_RBINDFAIL, pdu.sequence, { systemId: '' }),
}

test('binds soon after the carrier has closed the session of the previous process', async (t) => {
  const { connector, record } = await unlinkedCarrier(t, (index) => (index < 3 ? bindFails : {}))
  await linked(connector)
  assert.ok(record.lines.every(({ level }) => level !== 'error'))
})

test('a bind failure without a reason counts as refused after one minute', async (t) => {
  const start = performance.now()
  const now = t.mock.method(performance, 'now', () => start)
  const { peer, record } = await unlinkedCarrier(t, bindFails)
  await peer.session(1)
  assert.ok(record.lines.every(({ level }) => level !== 'error'))
  now.mock.mockImplementation(() => start + 61_000)
  await waitFor('the alarm', () => record.lines.some(({ level }) => level === 'error'))
  const alarm = record.lines.find(({ level }) => level === 'error')!
  assert.ok((alarm.fields as { pauseMs: number }).pauseMs >= minLoginPauseMs)
})

test('a carrier that is unavailable for long is logged once', async (t) => {
  const { peer, record } = await unlinkedCarrier(t, {
    bind_transceiver: (pdu, peer) =>
      peer.send('bind_transceiver_resp', statuses.ESME_RSYSERR, pdu.sequence, { systemId: '' }),
  })
  await peer.session(5)
  assert.equal(record.lines.length, 1)
})

test('supports TLS, and refuses an unknown certificate', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'smpp-tls-'))
  const keyPath = join(folder, 'key.pem')
  const certPath = join(folder, 'cert.pem')
  const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=smsc.test'
  execFileSync('openssl', [...args.split(' '), '-keyout', keyPath, '-out', certPath], { stdio: 'ignore' })
  const [key, cert] = [readFileSync(keyPath, 'utf8'), readFileSync(certPath, 'utf8')]
  rmSync(folder, { recursive: true })

  const server = createServer({ key, cert }, (socket) => new PeerSession(socket, accept))
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const record = recorded()
  const trusting = testConnector(port, { tls: { ca: cert, serverName: 'smsc.test' } })
  const strict = testConnector(port, { tls: { serverName: 'smsc.test' } }, record)
  t.after(async () => {
    await Promise.all([trusting.stop(), strict.stop()])
    server.close()
  })
  await linked(trusting)
  assert.equal((await trusting.submit(submission())).kind, 'accepted')
  await waitFor('the refusal', () => record.lines.length > 0)
  assert.equal(strict.linked, false)
  assert.match(JSON.stringify(record.lines), /self-signed/)
})
