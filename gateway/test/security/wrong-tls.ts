/**
 * Attack: a machine in the network impersonates an engine or a carrier, with a certificate of another
 * authority, of another name, or an expired one. Each link must work with a valid certificate and reject the
 * three others. RabbitMQ is behind a proxy that terminates TLS; the other links use their own. A real API
 * process serves its certificate and rejects TLS 1.1 and plaintext HTTP; a real command pushes to a webhook.
 */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync, readFileSync } from 'node:fs'
import { createServer as createHttpsServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
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
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { startPrivatePostgres } from '../support/processes/private-postgres.ts'
import { brokerUrls } from '../support/engines/services.ts'
import { silentLog } from '../support/silent-log.ts'
import { openShippedInstallation } from './attack.ts'
import { startTlsProxy } from '../support/engines/tls-proxy.ts'
import { waitFor } from '../support/wait.ts'
import { spawnEngine } from '../../../tools/engines/engine-child.ts'
import { postgresAccount, programs } from '../../../tools/engines/programs.ts'

const certificates = createTestCertificates()
const { ca, valid, wrong } = certificates
const refusals: Readonly<Record<string, RegExp>> = {
  authority:
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|unable to verify/,
  name: /ERR_TLS_CERT_ALTNAME_INVALID|altnames/,
  dates: /CERT_HAS_EXPIRED|expired/,
}
const pems = ({ cert, key }: CertificateFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) })

/** Installation for the links of real processes. */
const installation = openShippedInstallation()
addCleanup(async () => {
  await (await installation).close(false)
})

/** `connect` resolves when the link works and rejects with the reason when it is refused. */
async function attack(
  use: (files: CertificateFiles) => unknown,
  connect: () => Promise<unknown>,
): Promise<void> {
  await use(valid)
  await connect()
  for (const [reason, files] of Object.entries(wrong)) {
    await use(files)
    await assert.rejects(connect, (error: NodeJS.ErrnoException) => {
      assert.match(`${error.code ?? ''} ${error.message}`, refusals[reason]!, reason)
      return true
    })
  }
}

test('the link to PostgreSQL accepts only a valid certificate', async () => {
  const postgres = await startPrivatePostgres({})
  addCleanup(() => postgres.stop())
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  addCleanup(() => admin.end())
  const account = postgresAccount()
  const use = async ({ cert, key }: CertificateFiles): Promise<void> => {
    const keyCopy = join(dirname(key), 'postgres-key.pem')
    copyFileSync(key, keyCopy)
    chmodSync(keyCopy, 0o600)
    if (account) chownSync(keyCopy, account.uid, account.gid)
    for (const [name, value] of [
      ['ssl_cert_file', cert],
      ['ssl_key_file', keyCopy],
      ['ssl', 'on'],
    ])
      await admin.query(`alter system set ${name} = '${value}'`)
    await admin.query('select pg_reload_conf()')
    // The postmaster reads its settings with a delay.
    await waitFor('the settings', async () => {
      const { rows } = await admin.query<{ file: string }>(`select current_setting('ssl_cert_file') as file`)
      return rows[0]!.file === cert
    })
  }
  // The weakest mode must also verify in full.
  const url = verifiedDatabaseUrl(`${postgres.url}?sslmode=require&sslrootcert=${ca}`)
  await attack(use, async () => {
    const database = openDatabase(url, silentLog, { connections: 1 })
    try {
      const { rows } = await database.query<{ ssl: boolean }>(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      )
      assert.equal(rows[0]!.ssl, true)
    } finally {
      await database.end()
    }
  })
})

test('the link to Redis accepts only a valid certificate', async () => {
  const port = await choosePort()
  const options = ['--port', '0', '--tls-port', String(port), '--save', '', '--tls-auth-clients', 'no']
  const files = ['--tls-cert-file', valid.cert, '--tls-key-file', valid.key, '--tls-ca-cert-file', ca]
  const server = spawnEngine({ command: programs().redis, args: [...options, ...files] }, 'ignore')
  addCleanup(() => void server.kill('SIGKILL'))
  const open = (): Promise<ReturnType<typeof openRedis>> =>
    new Promise((resolve, reject) => {
      const redis = openRedis({ redisUrl: `rediss://127.0.0.1:${port}`, redisCaFile: ca }, silentLog)!
      redis.once('ready', () => resolve(redis))
      redis.once('error', (error) => {
        redis.disconnect()
        reject(error)
      })
    })
  await waitFor('Redis', async () => {
    const redis = await open().catch(() => undefined)
    redis?.disconnect()
    return redis !== undefined
  })
  const admin = (await open())!
  addCleanup(() => admin.disconnect())
  const use = ({ cert, key }: CertificateFiles): Promise<unknown> =>
    admin.call('CONFIG', 'SET', 'tls-cert-file', cert, 'tls-key-file', key)
  await attack(use, async () => (await open())!.disconnect())
})

test('the link to RabbitMQ accepts only a valid certificate', async () => {
  const engine = new URL(brokerUrls()[0]!)
  const proxy = await startTlsProxy(valid, { host: engine.hostname, port: Number(engine.port) })
  await attack(
    (files) => proxy.use(files),
    async () => {
      let failure: Error | undefined
      const log = {
        ...silentLog,
        info: () => undefined,
        warn: ({ err }: { err: Error }) => (failure ??= err),
      }
      const url = `amqps://${engine.username}:${engine.password}@127.0.0.1:${proxy.port}`
      const broker = openBroker([url], 1_000, log, undefined, { caFile: ca })
      try {
        await waitFor('the broker', () => failure !== undefined || (broker.canPublish && broker.canConsume))
        if (failure !== undefined) throw failure
      } finally {
        await broker.close()
      }
    },
  )
})

test('the link to a carrier over SMPP accepts only a valid certificate', async () => {
  const server = createTlsServer(pems(valid), (socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  const { port } = server.address() as AddressInfo
  await attack(
    (files) => server.setSecureContext(pems(files)),
    async () => {
      const bound = new Promise<void>((resolve) => {
        server.once('secureConnection', (socket) => {
          socket.once('data', () => {
            resolve()
            socket.destroy()
          })
        })
      })
      const refused = Promise.withResolvers<never>()
      const note = (fields: object, text: string): void => {
        const reason = `${text} ${JSON.stringify(fields)}`
        if (/certificate|altnames/i.test(reason)) refused.reject(new Error(reason))
      }
      const connector = createConnector(
        'smpp',
        {
          host: '127.0.0.1',
          port,
          systemId: 'me',
          password: 'x',
          tls: { ca: readFileSync(ca, 'utf8'), verify: true },
        },
        {
          onReceipt: () => Promise.resolve(),
          onLink: (_up, reason) => note({}, reason),
          onEvent: () => undefined,
          openFile: () => Promise.resolve(null),
          isFirstOwner: true,
          log: { info: note, warn: note, error: note },
        },
      )
      connector.start()
      try {
        await Promise.race([bound, refused.promise])
      } finally {
        await connector.stop(100)
      }
    },
  )
})

test('the link to a carrier over HTTP accepts only a valid certificate', async () => {
  const server = createHttpsServer(pems(valid), (_request, response) => response.end('ok'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  const { port } = server.address() as AddressInfo
  await attack(
    (files) => server.setSecureContext(pems(files)),
    async () => {
      const client = new HttpClient({
        connections: 1,
        connectTimeoutMs: 2_000,
        timeoutMs: 2_000,
        maxAnswerBytes: 100,
        tls: { ca: readFileSync(ca, 'utf8') },
      })
      const result = await client.send({ method: 'GET', url: `https://127.0.0.1:${port}/` })
      client.stop()
      if (result.kind !== 'answer') {
        assert.equal(result.kind, 'not-sent', 'the carrier received nothing')
        throw Object.assign(new Error('refused'), { code: result.code })
      }
    },
  )
})

test('a push to a webhook accepts only a valid certificate', async () => {
  const arrivals: string[] = []
  const server = createHttpsServer(pems(valid), (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      arrivals.push(body)
      const { msgKey } = JSON.parse(body) as { msgKey: string }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ msgKey }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  const { port } = server.address() as AddressInfo
  const environment = {
    ...(await installation).environment,
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // The only way to trust a private authority for receivers.
    NODE_EXTRA_CA_CERTS: ca,
  }
  const { clientId } = await createAccount(environment, 'shop')
  const added = await postern(
    environment,
    ...['webhook', 'add', clientId, '--url', `https://127.0.0.1:${port}/`, '--json'],
  )
  const { webhook } = JSON.parse(added) as { webhook: { id: string } }
  await attack(
    (files) => server.setSecureContext(pems(files)),
    async () => {
      const before = arrivals.length
      const output = await postern(environment, 'webhook', 'test', webhook.id, '--json').catch(
        (error: unknown) => (error as { stdout: string }).stdout,
      )
      const { acknowledged, error } = JSON.parse(output) as { acknowledged: boolean; error: string }
      assert.equal(arrivals.length - before, acknowledged ? 1 : 0, 'a rejected receiver must get nothing')
      if (!acknowledged) throw new Error(error)
    },
  )
})

test('the API serves its certificate and rejects TLS before 1.2 and plaintext HTTP', async () => {
  const api = await (
    await installation
  ).startGateway('api', 'api-tls', {
    POSTERN_HTTP_CERT_FILE: valid.cert,
    POSTERN_HTTP_KEY_FILE: valid.key,
    POSTERN_HTTP_PLAINTEXT: 'refuse',
  })
  await api.untilReady(60_000)
  const requestWith = (maxVersion: 'TLSv1.1' | 'TLSv1.3'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const versions = { minVersion: 'TLSv1' as const, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' }
      const options = { host: '127.0.0.1', port: api.port, path: '/openapi.json', ca: readFileSync(ca) }
      const sent = request({ ...options, ...versions, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end()
    })
  assert.equal(await requestWith('TLSv1.3'), 200)
  await assert.rejects(requestWith('TLSv1.1'), /alert|protocol|version/i)
  await assert.rejects(fetch(`${api.url}/openapi.json`))
})
