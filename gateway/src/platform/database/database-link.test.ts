/** A link to PostgreSQL survives missing or damaged files, and verifies the server according to the URL. */
import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { createTestCertificates } from '../../../test/support/engines/certificate-authority.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { startTlsProxy, type TlsProxy } from '../../../test/support/engines/tls-proxy.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { databaseLink } from './database-link.ts'
import { openDatabase, type Database } from './database.ts'
import type { Log } from '../logging/log.ts'

const authority = createTestCertificates()
const { ca, valid } = authority
const { url, database: other } = await createEmptyDatabase()

interface Open {
  readonly proxy: TlsProxy
  readonly database: Database
  readonly warnings: string[]
  readonly caFile: string
}

/** Opens a link over a TLS proxy, which the driver reaches without PostgreSQL's own TLS request. */
async function open(name: string, silentMs: number): Promise<Open> {
  const engine = new URL(url)
  const to = { host: engine.hostname, port: Number(engine.port === '' ? 5432 : engine.port) }
  const proxy = await startTlsProxy(valid, to)
  const caFile = `${ca}.${name}`
  copyFileSync(ca, caFile)
  engine.host = `127.0.0.1:${proxy.port}`
  engine.search = `sslmode=verify-full&sslnegotiation=direct&sslrootcert=${caFile}`
  const warnings: string[] = []
  const warn = (_fields: object, text: string): number => warnings.push(text)
  const database = openDatabase(engine.href, { ...silentLog, warn } as unknown as Log, {
    connections: 1,
    silentMs,
  })
  addCleanup(() => database.end())
  await database.query('select 1')
  return { proxy, database, warnings, caFile }
}

async function isRunning(text: string): Promise<boolean> {
  const { rows } = await other.query('select 1 from pg_stat_activity where state = $1 and query = $2', [
    'active',
    text,
  ])
  return rows.length > 0
}

test('a lost connection is replaced with the cached authority while its file is missing', async () => {
  const { proxy, database, warnings, caFile } = await open('waiting', 60_000)
  const first = database.query('select pg_sleep(60)')
  const second = database.query<{ n: number }>('select 2 as n')
  const connectionLost = assert.rejects(first)
  await waitFor('the first query', () => isRunning('select pg_sleep(60)'))
  rmSync(caFile)
  proxy.cut()
  await connectionLost
  assert.equal((await second).rows[0]!.n, 2)
  assert.equal(warnings.filter((text) => text.includes('TLS files')).length, 1)
})

test('a slow statement is checked while the file of the authority is missing', async () => {
  const { database, caFile } = await open('silent', 200)
  const slow = database.query<{ n: number }>('select 3 as n, pg_sleep(2)')
  rmSync(caFile)
  assert.equal((await slow).rows[0]!.n, 3)
})

test('the server of a URL with TLS files is verified as by the driver', () => {
  const [certificate, plain] = [authority.issue('client'), 'postgres://u:p%40@h:1/db']
  const files = `sslrootcert=${ca}&sslcert=${certificate.cert}&sslkey=${certificate.key}`
  const link = (query: string) => databaseLink(`${plain}?${query}`)
  for (const query of [
    'sslmode=verify-full',
    'ssl=false',
    'ssl=true',
    'uselibpqcompat=true&sslmode=no-verify',
  ]) {
    const { ssl } = link(`${query}&${files}`)
    assert.deepEqual(Object.keys(ssl as object), ['secureContext'], query)
    assert.ok((ssl as { secureContext: unknown }).secureContext)
  }
  const unverified = link(`sslmode=no-verify&${files}`).ssl as Record<string, unknown>
  assert.equal(unverified.rejectUnauthorized, false)
  assert.ok(unverified.secureContext)
  assert.equal(link(`sslmode=disable&sslrootcert=${ca}`).ssl, false)
  assert.equal(link(`sslmode=verify-full&sslmode=disable&sslrootcert=${ca}`).ssl, false, 'the last one')
  assert.deepEqual(
    { ...link(`sslmode=verify-full&sslnegotiation=direct&options=-c%20jit%3Doff&${files}`), ssl: undefined },
    { connectionString: `${plain}?options=-c+jit%3Doff`, sslnegotiation: 'direct', ssl: undefined },
  )
  for (const query of ['', '?sslmode=verify-full', '?sslmode=no-verify', '?ssl=true'])
    assert.deepEqual(databaseLink(`${plain}${query}`), { connectionString: `${plain}${query}` })
})
