/**
 * Attack: an engine or a carrier requires a client certificate, and a stranger connects with none, with one
 * of another authority or with an expired one. The gateway must connect with the certificate of its settings,
 * which shows that they reach the link; connections with the other certificates must be rejected. After the
 * certificate files were replaced, RabbitMQ and Redis must be connected again. RabbitMQ is behind a proxy that
 * requires the certificate.
 */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import pg from 'pg'
import { HttpClient } from '../../src/carriers/connectors/http/http-client.ts'
import { createConnector } from '../../src/carriers/connectors/registry.ts'
import { openBroker } from '../../src/platform/broker/broker.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { verifiedDatabaseUrl } from '../../src/platform/settings/tls.ts'
import { openRedis } from '../../src/roles/runtime.ts'
import { createTestCertificates, type CertificateFiles } from '../support/engines/certificate-authority.ts'
import { addCleanup } from '../support/cleanup.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { startPrivatePostgres } from '../support/processes/private-postgres.ts'
import { brokerUrls } from '../support/engines/services.ts'
import { silentLog } from '../support/silent-log.ts'
import { startTlsProxy } from '../support/engines/tls-proxy.ts'
import { waitFor } from '../support/wait.ts'
import { spawnEngine } from '../../../tools/engines/engine-child.ts'
import { postgresAccount, programs } from '../../../tools/engines/programs.ts'

const authority = createTestCertificates()
const { ca, valid } = authority
/** PostgreSQL compares the certificate's name with the database user. */
const clientFiles = authority.issue('postgres')
const rejectedCertificates: Readonly<Record<string, CertificateFiles | undefined>> = {
  missing: undefined,
  'of another authority': createTestCertificates().issue('postgres'),
  expired: authority.issue('postgres', -1),
}
const readPems = ({ cert, key }: CertificateFiles) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
})
const serverTls = { ...readPems(valid), ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true }

/**
 * Checks that only the certificate of the settings is accepted. `connect` resolves when the link works with a certificate, and
 * rejects when it is refused.
 */
async function requireThisCertificate(
  connect: (files: CertificateFiles | undefined) => Promise<unknown>,
): Promise<void> {
  await connect(clientFiles)
  for (const [reason, files] of Object.entries(rejectedCertificates))
    await assert.rejects(connect(files), reason)
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('PostgreSQL accepts only the client certificate of the settings', async () => {
  const postgres = await startPrivatePostgres({})
  addCleanup(() => postgres.stop())
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  const account = postgresAccount()
  const key = join(dirname(valid.key), 'postgres-key.pem')
  copyFileSync(valid.key, key)
  chmodSync(key, 0o600)
  if (account) chownSync(key, account.uid, account.gid)
  const { rows } = await admin.query<{ file: string }>(`select current_setting('hba_file') as file`)
  writeFileSync(rows[0]!.file, 'hostssl all all 127.0.0.1/32 trust clientcert=verify-full\n')
  const settings = { ssl_cert_file: valid.cert, ssl_key_file: key, ssl_ca_file: ca, ssl: 'on' }
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter system set ${name} = '${value}'`)
  await admin.query('select pg_reload_conf()')
  await admin.end()
  const connect = async (files: CertificateFiles | undefined): Promise<void> => {
    const certificate = files === undefined ? '' : `&sslcert=${files.cert}&sslkey=${files.key}`
    const url = verifiedDatabaseUrl(`${postgres.url}?sslmode=verify-full&sslrootcert=${ca}${certificate}`)
    const database = openDatabase(url, silentLog, { connections: 1 })
    try {
      const found = await database.query<{ name: string | null }>(
        'select client_dn as name from pg_stat_ssl where pid = pg_backend_pid()',
      )
      assert.equal(found.rows[0]!.name, '/CN=postgres')
    } finally {
      await database.end()
    }
  }
  // The postmaster reads its settings with a delay.
  await waitFor('PostgreSQL to request certificates', () =>
    connect(clientFiles).then(
      () => true,
      () => false,
    ),
  )
  await requireThisCertificate(connect)
})

test('Redis accepts only the client certificate of the settings', async () => {
  const port = await choosePort()
  const options = ['--port', '0', '--tls-port', String(port), '--save', '', '--tls-auth-clients', 'yes']
  const files = ['--tls-cert-file', valid.cert, '--tls-key-file', valid.key, '--tls-ca-cert-file', ca]
  const server = spawnEngine({ command: programs().redis, args: [...options, ...files] }, 'ignore')
  addCleanup(() => void server.kill('SIGKILL'))
  const connect = (presented: CertificateFiles | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const certificate = presented && { redisCertFile: presented.cert, redisKeyFile: presented.key }
      const link = { redisUrl: `rediss://127.0.0.1:${port}`, redisCaFile: ca, ...certificate }
      const redis = openRedis(link, silentLog)!
      const end = (settle: () => void) => (): void => {
        redis.disconnect()
        settle()
      }
      redis.once('ready', end(resolve))
      redis.once(
        'error',
        end(() => reject(new Error('refused'))),
      )
      redis.once(
        'close',
        end(() => reject(new Error('closed'))),
      )
    })
  await waitFor('Redis', () =>
    connect(clientFiles).then(
      () => true,
      () => false,
    ),
  )
  await requireThisCertificate(connect)
})

test('RabbitMQ accepts only the client certificate of the settings', async () => {
  const engine = new URL(brokerUrls()[0]!)
  const to = { host: engine.hostname, port: Number(engine.port) }
  const proxy = await startTlsProxy(valid, to, ca)
  await requireThisCertificate(async (files) => {
    let failure: Error | undefined
    const log = { ...silentLog, warn: ({ err }: { err: Error }) => (failure ??= err) }
    const url = `amqps://${engine.username}:${engine.password}@127.0.0.1:${proxy.port}`
    const certificate = files && { certFile: files.cert, keyFile: files.key }
    const broker = openBroker([url], 1_000, log, undefined, { caFile: ca, ...certificate })
    try {
      await waitFor('the broker', () => failure !== undefined || (broker.canPublish && broker.canConsume))
      if (failure !== undefined) throw failure
    } finally {
      await broker.close()
    }
  })
})

/** Creates files that `replace` overwrites with another certificate. */
function replaceable(): CertificateFiles & { replace(files: CertificateFiles): void } {
  const used = { cert: `${clientFiles.cert}.used`, key: `${clientFiles.key}.used` }
  const replace = ({ cert, key }: CertificateFiles): void => {
    copyFileSync(cert, used.cert)
    copyFileSync(key, used.key)
  }
  replace(clientFiles)
  return { ...used, replace }
}

/** The servers accept only certificates of this authority after the files were replaced. */
const nextAuthority = createTestCertificates()

test('RabbitMQ is connected again after the certificate files were replaced', async () => {
  const engine = new URL(brokerUrls()[0]!)
  const to = { host: engine.hostname, port: Number(engine.port) }
  const proxy = await startTlsProxy(valid, to, ca)
  const files = replaceable()
  const url = `amqps://${engine.username}:${engine.password}@127.0.0.1:${proxy.port}`
  const certificate = { certFile: files.cert, keyFile: files.key }
  const broker = openBroker([url], 1_000, silentLog, undefined, { caFile: ca, ...certificate })
  addCleanup(() => broker.close())
  const isLinked = (): boolean => broker.canPublish && broker.canConsume
  await waitFor('the broker', isLinked)
  proxy.use(valid, nextAuthority.ca)
  proxy.cut()
  await waitFor('the links to be lost', () => !broker.canConsume)
  files.replace(nextAuthority.issue('postgres'))
  await waitFor('links with the new certificate', isLinked, { timeoutMs: 60_000 })
})

test('Redis is connected again after the certificate files were replaced', async () => {
  const port = await choosePort()
  const start = (clientCa: string) => {
    const options = ['--port', '0', '--tls-port', String(port), '--save', '', '--tls-auth-clients', 'yes']
    const files = ['--tls-cert-file', valid.cert, '--tls-key-file', valid.key, '--tls-ca-cert-file', clientCa]
    const server = spawnEngine({ command: programs().redis, args: [...options, ...files] }, 'ignore')
    addCleanup(() => void server.kill('SIGKILL'))
    return server
  }
  const first = start(ca)
  const files = replaceable()
  const link = { redisUrl: `rediss://127.0.0.1:${port}`, redisCaFile: ca }
  const redis = openRedis({ ...link, redisCertFile: files.cert, redisKeyFile: files.key }, silentLog)!
  addCleanup(() => redis.disconnect())
  await waitFor('Redis', () => redis.status === 'ready')
  first.kill('SIGKILL')
  await waitFor('the link to be lost', () => redis.status !== 'ready')
  start(nextAuthority.ca)
  files.replace(nextAuthority.issue('postgres'))
  await waitFor('a link with the new certificate', () => redis.status === 'ready', { timeoutMs: 60_000 })
})

test('a carrier over HTTP accepts only the client certificate of the route', async () => {
  const port = await listen(createHttpsServer(serverTls, (_request, response) => response.end('ok')))
  await requireThisCertificate(async (files) => {
    const client = new HttpClient({
      connections: 1,
      connectTimeoutMs: 2_000,
      timeoutMs: 2_000,
      maxAnswerBytes: 100,
      tls: { ca: readFileSync(ca, 'utf8'), ...(files && readPems(files)) },
    })
    const result = await client.send({ method: 'GET', url: `https://127.0.0.1:${port}/` })
    client.stop()
    if (result.kind !== 'answer') throw new Error(result.kind)
  })
})

test('a carrier over SMPP accepts only the client certificate of the route', async () => {
  const server = createTlsServer(serverTls, (socket) => socket.on('error', () => undefined))
  const port = await listen(server)
  await requireThisCertificate(async (files) => {
    const ended = Promise.withResolvers<true>()
    server.once('secureConnection', (socket) => {
      socket.once('data', () => {
        ended.resolve(true)
        socket.destroy()
      })
    })
    server.once('tlsClientError', (error) => ended.reject(error))
    const connector = createConnector(
      'smpp',
      {
        host: '127.0.0.1',
        port,
        systemId: 'me',
        password: 'x',
        tls: { ca: readFileSync(ca, 'utf8'), verify: true, ...(files && readPems(files)) },
      },
      {
        onReceipt: () => Promise.resolve(),
        onLink: () => undefined,
        onEvent: () => undefined,
        openFile: () => Promise.resolve(null),
        isFirstOwner: true,
        log: silentLog,
      },
    )
    connector.start()
    try {
      await ended.promise
    } finally {
      await connector.stop(100)
      server.removeAllListeners('tlsClientError')
    }
  })
})
