/**
 * Attack: a machine in the network impersonates the gateway, or reads and changes traffic. A real process
 * serves the API, the SMPP server and the admin API with one certificate. On each port, a client that trusts
 * its authority is served over TLS 1.2 and 1.3. A client that trusts another authority or expects another
 * name rejects the certificate, and TLS 1.1 and plaintext get no response. Replaced files apply to new
 * connections, even with an expired certificate, which clients reject; open binds stay.
 */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { connect as connectClear } from 'node:net'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { connect, type ConnectionOptions } from 'node:tls'
import { statuses } from '../../src/carriers/smpp/status.ts'
import { createTestCertificates, type CertificateFiles } from '../support/engines/certificate-authority.ts'
import { addCleanup } from '../support/cleanup.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { SmppClient } from '../support/smpp/client.ts'
import { waitFor } from '../support/wait.ts'
import { openShippedInstallation } from './attack.ts'

const authority = createTestCertificates()
const { valid, wrong } = authority
const next = authority.issue('127.0.0.1')
const ca = readFileSync(authority.ca, 'utf8')
const otherCa = readFileSync(createTestCertificates().ca, 'utf8')

const installed = {
  cert: join(dirname(valid.cert), 'served.pem'),
  key: join(dirname(valid.key), 'served-key.pem'),
}
const install = ({ cert, key }: CertificateFiles): void => {
  copyFileSync(key, installed.key)
  copyFileSync(cert, installed.cert)
}
install(valid)

const installation = await openShippedInstallation()
addCleanup(() => installation.close(false).then(() => undefined))
const [smppPort, adminPort] = [await choosePort(), await choosePort()]
const { clientId } = await createAccount(installation.environment, 'shop', '--smpp-binds', '2')
const add = ['account', 'key', 'add', clientId, '--name', 'test', '--smpp', '--json']
const { key: password } = JSON.parse(await postern(installation.environment, ...add)) as { key: string }
const gateway = await installation.startGateway('all', 'tls', {
  POSTERN_HTTP_CERT_FILE: installed.cert,
  POSTERN_HTTP_KEY_FILE: installed.key,
  POSTERN_SMPP_SERVER_PORT: String(smppPort),
  POSTERN_ADMIN_PORT: String(adminPort),
  // Clients connect without a proxy here.
  POSTERN_SMPP_SERVER_PROXY_PROTOCOL: 'no',
})
await gateway.untilReady(120_000)

interface Listener {
  readonly name: string
  readonly port: number
  /** First bytes of a client. */
  readonly request: Buffer
  /** Beginning of the response. */
  readonly answer: Buffer
}
const get = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
/** An enquire_link: the length, the command, no status and a sequence number. */
const enquireLink = Buffer.from('00000010000000150000000000000001', 'hex')
const linkEnquired = Buffer.from('0000001080000015', 'hex')
const ok = Buffer.from('HTTP/1.1 200 ')
const listeners: readonly Listener[] = [
  { name: 'the API', port: gateway.port, request: get('/openapi.json'), answer: ok },
  { name: 'the SMPP server', port: smppPort, request: enquireLink, answer: linkEnquired },
  { name: 'the admin API', port: adminPort, request: get('/admin/v1/openapi.json'), answer: ok },
]
const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
/** The alert of the listener. A client that does not offer the version has another error. */
const refusedVersion = { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' }

/** Returns the fingerprint of the listener's certificate; rejects when the link is refused. */
function readFingerprint({ port, request, answer }: Listener, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, ...options }, () => socket.write(request))
    socket.once('data', (octets: Buffer) => {
      if (octets.indexOf(answer) === 0) resolve(socket.getPeerCertificate().fingerprint256)
      else reject(new Error(`answered ${octets.toString('latin1', 0, 40)}`))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })
}

/** Returns the response of a listener to a plaintext request. */
function askInClear({ port, request }: Listener): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connectClear({ host: '127.0.0.1', port }, () => socket.write(request))
    socket.on('data', (octets: Buffer) => chunks.push(octets))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(Buffer.concat(chunks)))
  })
}

const fingerprintOf = ({ cert }: CertificateFiles): string =>
  new X509Certificate(readFileSync(cert)).fingerprint256

for (const listener of listeners)
  suite(listener.name, () => {
    test('the listener serves TLS 1.2 and 1.3 to a client that trusts its authority', async () => {
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
        const fingerprint = await readFingerprint(listener, { minVersion: version, maxVersion: version })
        assert.equal(fingerprint, fingerprintOf(valid))
      }
    })

    test('clients with another authority or another expected name reject the listener', async () => {
      await assert.rejects(readFingerprint(listener, { ca: otherCa }), {
        code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      })
      await assert.rejects(readFingerprint(listener, { servername: 'other.example' }), {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      })
    })

    test('the listener rejects TLS 1.1 and does not respond in plaintext', async () => {
      await assert.rejects(readFingerprint(listener, { ...old, maxVersion: 'TLSv1.1' }), refusedVersion)
      assert.ok(!(await askInClear(listener)).includes(listener.answer))
    })
  })

test('replaced files apply to new connections, and open binds stay', async () => {
  const bound = await SmppClient.connect(smppPort, { ca })
  addCleanup(() => bound.close())
  assert.equal(await bound.bind(clientId, password), statuses.ESME_ROK)
  for (const [files, refusal] of [
    [wrong.dates, 'CERT_HAS_EXPIRED'],
    [next, null],
  ] as const) {
    install(files)
    await Promise.all(
      listeners.map(async (listener) => {
        await waitFor(
          `${listener.name} to serve the new certificate`,
          async () =>
            (await readFingerprint(listener, { rejectUnauthorized: false })) === fingerprintOf(files),
          // The files are read every ten seconds.
          { timeoutMs: 60_000 },
        )
        if (refusal === null) await readFingerprint(listener, {})
        else await assert.rejects(readFingerprint(listener, {}), { code: refusal })
        // A new certificate must not enable older versions.
        await assert.rejects(
          readFingerprint(listener, { ...old, maxVersion: 'TLSv1.1', rejectUnauthorized: false }),
          refusedVersion,
        )
      }),
    )
  }
  assert.equal((await bound.request('enquire_link', {})).kind, 'enquire_link_resp')
})
