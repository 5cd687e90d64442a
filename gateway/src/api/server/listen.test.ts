/** The API over TLS: it serves HTTPS, uses a new certificate without a restart, and does not listen in clear unawares. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { createAuthority } from '../../../test/support/certificate-authority.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { readCertificate, reloadCertificate } from './listen.ts'
import { createServer } from './server.ts'

const authority = createAuthority()
const [first, second] = [authority.issue('127.0.0.1'), authority.issue('127.0.0.1')]
const files = {
  httpCertFile: join(dirname(first.cert), 'api.pem'),
  httpKeyFile: join(dirname(first.cert), 'api-key.pem'),
}
const install = ({ cert, key }: typeof first): void => {
  copyFileSync(key, files.httpKeyFile)
  copyFileSync(cert, files.httpCertFile)
}

test('a changed certificate is used for new connections; a broken one is not', async () => {
  install(first)
  const config = { ...files, httpClear: 'refuse', httpHost: '0.0.0.0' }
  const certificate = readCertificate(config, quietLog)!
  const server = createServer({
    ...{ log: quietLog, metrics: testMetrics(), certificate, open: [], authenticated: [] },
    authenticate: (_request, _reply, done) => done(),
  })
  atEnd(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const reloading = reloadCertificate(
    server.server as unknown as HttpsServer,
    config,
    certificate,
    quietLog,
    10,
  )
  atEnd(() => reloading.stop())
  const serial = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca: readFileSync(authority.ca) }, () => {
        resolve(socket.getPeerCertificate().serialNumber)
        socket.destroy()
      })
      socket.on('error', reject)
    })
  assert.equal(Number(await serial()), 1)
  writeFileSync(files.httpCertFile, 'half a cert')
  assert.equal(Number(await serial()), 1)
  install(second)
  await waitFor('the new certificate', async () => Number(await serial()) === 2)
})

test('answers over HTTPS, directly or behind a proxy, have Strict-Transport-Security', async () => {
  const header = async (options: object): Promise<unknown> => {
    const server = createServer({
      log: quietLog,
      metrics: testMetrics(),
      open: [],
      authenticated: [],
      authenticate: (_request, _reply, done) => done(),
      ...options,
    })
    atEnd(() => server.close())
    return (await server.inject('/')).headers['strict-transport-security']
  }
  install(first)
  const certificate = readCertificate({ ...files, httpClear: 'refuse', httpHost: '::' }, quietLog)
  for (const options of [{ certificate }, { isBehindHttps: true }])
    assert.equal(await header(options), 'max-age=31536000')
  assert.equal(await header({}), undefined)
})

test('in clear on an address that others can reach, the operator decides', () => {
  const read = (httpHost: string, httpClear: string, warnings: string[] = []): unknown =>
    readCertificate({ httpHost, httpClear }, {
      warn: (_fields: object, text: string) => warnings.push(text),
    } as unknown as typeof quietLog)
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.equal(read(host, 'refuse'), undefined)
  for (const host of ['0.0.0.0', '::', '10.0.0.1'])
    assert.throws(
      () => read(host, 'refuse'),
      /listens in clear on .*POSTERN_HTTP_CERT_FILE.*POSTERN_HTTP_CLEAR=proxy/,
    )
  const warnings: string[] = []
  read('0.0.0.0', 'proxy', warnings)
  assert.deepEqual(warnings, [])
  read('0.0.0.0', 'warn', warnings)
  assert.match(String(warnings), /listens in clear/)
})

test('a certificate without its key, or with another one, stops the start', () => {
  const config = { httpClear: 'warn', httpHost: '127.0.0.1' }
  assert.throws(
    () => readCertificate({ ...config, httpCertFile: first.cert }, quietLog),
    /must be set together/,
  )
  const mixed = { ...config, httpCertFile: first.cert, httpKeyFile: second.key }
  assert.throws(() => readCertificate(mixed, quietLog), /must be a certificate in PEM and its private key/)
})
