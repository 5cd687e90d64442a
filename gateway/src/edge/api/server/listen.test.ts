import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { createAuthority } from '../../../../test/support/engines/certificate-authority.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
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
  const config = { ...files, httpPlaintext: 'refuse', httpHost: '0.0.0.0' }
  const certificate = readCertificate(config, silentLog)!
  const server = createServer({
    log: silentLog,
    metrics: testMetrics(),
    certificate,
    open: [],
    authenticated: [],
    authenticate: (_request, _reply, done) => done(),
  })
  addCleanup(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const reloading = reloadCertificate(
    server.server as unknown as HttpsServer,
    config,
    certificate,
    silentLog,
    10,
  )
  addCleanup(() => reloading.stop())
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

test('HTTPS responses have Strict-Transport-Security, directly or behind a proxy', async () => {
  const header = async (options: object): Promise<unknown> => {
    const server = createServer({
      log: silentLog,
      metrics: testMetrics(),
      open: [],
      authenticated: [],
      authenticate: (_request, _reply, done) => done(),
      ...options,
    })
    addCleanup(() => server.close())
    return (await server.inject('/')).headers['strict-transport-security']
  }
  install(first)
  const certificate = readCertificate({ ...files, httpPlaintext: 'refuse', httpHost: '::' }, silentLog)
  for (const options of [{ certificate }, { isBehindHttps: true }])
    assert.equal(await header(options), 'max-age=31536000')
  assert.equal(await header({}), undefined)
})

test('plaintext on a reachable address needs a decision of the operator', () => {
  const read = (httpHost: string, httpPlaintext: string, warnings: string[] = []): unknown =>
    readCertificate({ httpHost, httpPlaintext }, {
      warn: (_fields: object, text: string) => warnings.push(text),
    } as unknown as typeof silentLog)
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.equal(read(host, 'refuse'), undefined)
  for (const host of ['0.0.0.0', '::', '10.0.0.1'])
    assert.throws(
      () => read(host, 'refuse'),
      /listens in plaintext on .*POSTERN_HTTP_CERT_FILE.*POSTERN_HTTP_PLAINTEXT=proxy/,
    )
  const warnings: string[] = []
  read('0.0.0.0', 'proxy', warnings)
  assert.deepEqual(warnings, [])
  read('0.0.0.0', 'warn', warnings)
  assert.match(String(warnings), /listens in plaintext/)
})

test('a certificate without its key, or with another one, stops the start', () => {
  const config = { httpPlaintext: 'warn', httpHost: '127.0.0.1' }
  assert.throws(
    () => readCertificate({ ...config, httpCertFile: first.cert }, silentLog),
    /must be set together/,
  )
  const mixed = { ...config, httpCertFile: first.cert, httpKeyFile: second.key }
  assert.throws(() => readCertificate(mixed, silentLog), /must be a certificate in PEM and its private key/)
})
