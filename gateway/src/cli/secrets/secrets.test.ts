/**
 * Secrets in the database, from outside: with a master key no row contains one in plaintext, the gateway uses
 * them normally, and the master key is replaced while webhooks and routes are in use, without a failed
 * request. A wrong key prevents the start.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { asAccount } from '../../../test/support/as-account.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { postern } from '../../../test/support/processes/postern-command.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { isSigned, openReceiver } from '../../../test/load/webhooks/receiver.ts'
import {
  formatTime,
  loopbackGuard,
  startTestPusher,
  writeReports,
} from '../../../test/load/webhooks/reports.ts'
import { defaultSettings, type Account } from '../../identity/accounts/account.ts'
import { createErrorHandler } from '../../edge/api/server/errors.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { readOptions } from '../../carriers/connectors/registry.ts'
import type { Database } from '../../platform/database/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { prepareSecrets } from '../../roles/prepare-secrets.ts'
import { loadRoutes, upsertRoute } from '../../carriers/routes/queries.ts'
import { createRouteTable } from '../../carriers/routes/table.ts'
import { addWebhook } from '../../edge/webhooks/actions.ts'
import { webhookRoutes } from '../../edge/webhooks/http.ts'
import { erasePreviousSecrets } from '../../edge/webhooks/queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-master-key-'))
after(() => rmSync(folder, { recursive: true }))

function masterKey(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, `${randomBytes(32).toString('hex')}\n`)
  return `file:${path}`
}

const [first, second] = [masterKey('first'), masterKey('second')]
const canary = 'CANARY7Q'
const smppOptions = { host: '127.0.0.1', port: 1, systemId: 'me', password: canary }

function environmentOf(url: string, keys: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    POSTERN_DATABASE_URL: url,
    POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    POSTERN_OPS_PORT: '0',
    POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
    ...keys,
  }
}

async function run(environment: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runCommand(environment, ...args, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

/** Returns every row of every table as text. */
async function dump(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const rows = await Promise.all(
    tables.rows.map(({ name }) => database.query<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

test('secrets of commands are encrypted at any depth; references are kept', async () => {
  const { database, url } = await createTestDatabase()
  const environment = environmentOf(url, {
    POSTERN_MASTER_KEY: first,
    POSTERN_ROUTE_SECRET_CARRIER_SECRET: canary,
  })
  await createAccount(database, 'shop')
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const put = (id: string, options: object): Promise<unknown> =>
    run(environment, 'route', 'put', id, '--channels', 'sms', '--options', JSON.stringify(options))
  await put('clear', smppOptions)
  await put('named', { ...smppOptions, password: 'env:POSTERN_ROUTE_SECRET_CARRIER_SECRET' })
  const proof = ['--proof-kind', 'operator', '--proof-reference', canary]
  await run(environment, 'sender', 'add', 'shop', '0212345678', ...proof)
  const added = await run(environment, 'webhook', 'add', 'shop', '--url', receiver.url)
  const { id } = added.webhook as { id: string }
  const secrets = [added.secret as string]
  secrets.push((await run(environment, 'webhook', 'rotate', id)).secret as string)
  await run(environment, 'webhook', 'test', id)
  const [arrival] = receiver.arrivals
  assert.ok(secrets.every((secret) => isSigned(arrival!, secret)))

  const stored = await dump(database)
  for (const secret of [canary, ...secrets]) assert.ok(!stored.includes(secret))
  const routes = await loadRoutes(database, openEncryption({ masterKey: first }))
  const passwords = routes.map(({ options }) => options.password)
  assert.deepEqual(passwords, [canary, 'env:POSTERN_ROUTE_SECRET_CARRIER_SECRET'])
  for (const command of [
    ['route', 'list'],
    ['route', 'show', 'clear'],
    ['secrets', 'status'],
    ['webhook', 'list'],
  ]) {
    const { stdout } = await runCommand(environment, ...command)
    assert.ok(![canary, ...secrets].some((secret) => stdout.includes(secret)), command.join(' '))
  }
  const status = await run(environment, 'secrets', 'status')
  assert.deepEqual(status.columns, [
    { column: 'routes.options', inClear: 0, encrypted: 2, outdated: 0 },
    { column: 'senders.proof_reference', inClear: 0, encrypted: 1, outdated: 0 },
    { column: 'sender_changes.proof_reference', inClear: 0, encrypted: 1, outdated: 0 },
    { column: 'operator_logins.totp_secret', inClear: 0, encrypted: 0, outdated: 0 },
    { column: 'webhooks.secret', inClear: 0, encrypted: 1, outdated: 0 },
    { column: 'webhooks.previous_secret', inClear: 0, encrypted: 1, outdated: 0 },
    { column: 'webhooks.url', inClear: 0, encrypted: 1, outdated: 0 },
  ])
  assert.deepEqual(status.warnings, [])
  const reveal = ['--reveal', '--reason', 'a test']
  const shown = await run(environment, 'sender', 'show', 'shop', '0212345678', ...reveal)
  assert.equal(shown.proofReference, canary)

  await erasePreviousSecrets(database, new Date(Date.now() + 23 * 3_600_000))
  assert.match(await dump(database), /\(\d{17}W(?:[^\n]*enc:){3}/, 'the overlap lasts a day')
  await erasePreviousSecrets(database, new Date(Date.now() + 25 * 3_600_000))
  assert.doesNotMatch(await dump(database), /\(\d{17}W(?:[^\n]*enc:){3}/)
})

test('secrets are in plaintext without a key; the first start with one encrypts them', async () => {
  const { database, url } = await createTestDatabase()
  await createAccount(database, 'shop')
  await run(
    environmentOf(url),
    'route',
    'put',
    'skt',
    '--channels',
    'sms',
    '--options',
    JSON.stringify(smppOptions),
  )
  const status = await run(environmentOf(url), 'secrets', 'status')
  assert.match(String(status.warnings), /stored in plaintext: set POSTERN_MASTER_KEY/)
  const running = createRouteTable(database, silentLog, openEncryption({}))
  await running.refresh()

  const gateway = {
    config: { encryptMessages: 'no' as const, trafficDays: 0 },
    database,
    encryption: openEncryption({ masterKey: first }),
    log: silentLog,
  }
  // The database user of the API is not allowed to write routes.
  await prepareSecrets(gateway, { encrypts: false })
  assert.ok((await dump(database)).includes(canary))
  await prepareSecrets(gateway, { encrypts: true })
  assert.ok(!(await dump(database)).includes(canary))
  // A process without a key continues with the cached values.
  await running.refresh()
  assert.equal(running.value[0]!.options.password, canary)

  const keys = { POSTERN_MASTER_KEY: second }
  const missing = await runCommand(
    environmentOf(url),
    'route',
    'try',
    'skt',
    '--to',
    '01012345678',
    '--text',
    'x',
  )
  assert.match(missing.stderr, /POSTERN_MASTER_KEY is required: secrets in the database are encrypted/)
  const starts = [environmentOf(url), environmentOf(url, keys)].map((environment) =>
    postern(environment, 'worker').then(
      () => assert.fail('it must not start'),
      (error: unknown) => error as { readonly code: number; readonly stderr: string },
    ),
  )
  const [withoutKey, wrongKey] = await Promise.all(starts)
  assert.deepEqual([withoutKey!.code, wrongKey!.code], [2, 2])
  assert.match(withoutKey!.stderr, /POSTERN_MASTER_KEY is required: secrets.*Set it to the reference/)
  assert.match(
    wrongKey!.stderr,
    /encrypted under master key \w{12}, but POSTERN_MASTER_KEY has \w{12}\. To change/,
  )
})

test('a plaintext data key is refused under a master key, except by the first rekey', async () => {
  const { database, url } = await createTestDatabase()
  const environment = environmentOf(url, { POSTERN_MASTER_KEY: first })
  await openEncryption({}).blindIndex(database)
  const started = await postern(environment, 'worker').catch(
    (error: unknown) => (error as { stderr: string }).stderr,
  )
  assert.match(started, /data key 1 \(recipient-index\) is stored in plaintext.*run `postern secrets rekey`/)
  await run(environment, 'secrets', 'rekey')
  assert.deepEqual((await run(environment, 'secrets', 'status')).warnings, [])

  await database.query(
    `insert into data_keys (id, purpose, master_key, wrapped)
     values (9, 'secrets', 'none', decode(repeat('00', 32), 'hex'))`,
  )
  const put = ['route', 'put', 'skt', '--channels', 'sms', '--options', JSON.stringify(smppOptions)]
  for (const command of [put, ['secrets', 'rekey']])
    assert.match((await runCommand(environment, ...command)).stderr, /delete from data_keys where id = 9/)
  await assert.rejects(openEncryption({}).installationKey(database, 'new'), /POSTERN_MASTER_KEY is required/)
})

test('a command with the first master key adds no key next to a plaintext one', async () => {
  const { database, url } = await createTestDatabase()
  const environment = environmentOf(url, { POSTERN_MASTER_KEY: first })
  await createAccount(database, 'shop')
  await openEncryption({}).installationKey(database, 'other')
  const add = ['suppression', 'add', '01012345678', '--account', 'shop', '--reason', 'test']
  assert.match(
    (await runCommand(environment, ...add)).stderr,
    /stored in plaintext.*run `postern secrets rekey`/,
  )
  await run(environment, 'secrets', 'rekey')
  await run(environment, ...add)
})

test('a ciphertext copied from another route stops only its own route', async () => {
  const { database } = await createTestDatabase()
  const encryption = openEncryption({ masterKey: first })
  await encryption.prepare(database)
  for (const id of ['one', 'two'])
    await upsertRoute(database, testRoute(id, { options: smppOptions }), encryption)
  await database.query(
    `update routes set options = (select options from routes where id = 'one') where id = 'two'`,
  )
  const [intact, copied] = await loadRoutes(database, encryption)
  assert.equal(intact!.options.password, canary)
  assert.throws(() => readOptions('smpp', copied!.options), /cannot decrypt/)
})

test('a route can be deleted without the master key, with an unknown address in the audit log', async () => {
  const { database, url } = await createTestDatabase()
  const encryption = openEncryption({ masterKey: first })
  await encryption.prepare(database)
  for (const id of ['one', 'two'])
    await upsertRoute(database, testRoute(id, { options: smppOptions }), encryption)
  await run(environmentOf(url), 'route', 'delete', 'one', '--reason', 'x')
  await run(environmentOf(url, { POSTERN_MASTER_KEY: first }), 'route', 'delete', 'two', '--reason', 'x')
  const rows = await listAudit(database, { action: 'route delete', limit: 2 })
  const [known, unknown] = rows.map(({ details }) => JSON.parse(details) as Record<string, unknown>)
  assert.deepEqual(known!['address'], { host: '127.0.0.1', port: 1 })
  assert.match(String(unknown!['options']), /^not read: the master key is missing/)
})

test('the master key is replaced under load without a failed request or signature', async () => {
  const { database, url } = await createTestDatabase()
  const before = openEncryption({ masterKey: first })
  const config = { encryptMessages: 'no' as const, trafficDays: 0 }
  await prepareSecrets({ config, database, encryption: before, log: silentLog }, { encrypts: true })
  const accountId = await createAccount(database, 'shop')
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const context = { database, guard: loopbackGuard, cipher: before }
  for (let n = 0; n < 15; n++) {
    await addWebhook(context, accountId, { url: receiver.url, notices: false })
    await upsertRoute(database, testRoute(`r${n}`, { options: smppOptions }), before)
  }
  await database.query(
    `insert into routes (id, channels, protocol, options) select 'bulk' || n, channels, protocol, '{}'
       from routes, generate_series(1, 500) n where id = 'r1'`,
  )
  // Every process is restarted for the change.
  const encryption = openEncryption({ masterKey: second, previousMasterKey: first })
  const pusher = startTestPusher(database, { cipher: encryption })
  addCleanup(() => pusher.stop())
  const routes = createRouteTable(database, silentLog, encryption)
  await routes.start(10)
  addCleanup(() => routes.stop())
  const linked = JSON.stringify(routes.value)
  const server = fastify()
  server.setErrorHandler(createErrorHandler(silentLog))
  server.register(
    asAccount(
      () => ({ ...defaultSettings, id: accountId }) as Account,
      webhookRoutes({ database, guard: loopbackGuard, cipher: encryption, formatTime }),
    ),
  )
  addCleanup(() => server.close())
  const { rows } = await database.query<{ id: string }>('select id from webhooks order by id')
  const states: number[] = []
  let ended = false
  const load = async (offset: number): Promise<void> => {
    for (let n = offset; !ended; n++) {
      const { id } = rows[n % rows.length]!
      for (const action of ['rotate', 'test']) {
        const answer = await server.inject({ method: 'POST', url: `/v1/webhook/${id}/${action}` })
        const acknowledged = answer.json<{ data: { acknowledged?: boolean } }>().data.acknowledged
        states.push(acknowledged === false ? 0 : answer.statusCode)
      }
      await writeReports(database, accountId, 1)
    }
  }
  const loads = [load(0), load(7)]
  await waitFor('load', () => states.length > 10)
  const keys = { POSTERN_MASTER_KEY: second, POSTERN_PREVIOUS_MASTER_KEY: first }
  const rekeyed = await run(environmentOf(url, keys), 'secrets', 'rekey')
  const during = states.length
  await waitFor('load', () => states.length > during + 10)
  ended = true
  await Promise.all(loads)
  assert.deepEqual([...new Set(states)], [200])
  assert.equal(rekeyed.added, true)
  assert.ok((rekeyed.reencrypted as number) >= 515, String(rekeyed.reencrypted))

  await openEncryption({ masterKey: second }).prepare(database)
  const status = await run(environmentOf(url, { POSTERN_MASTER_KEY: second }), 'secrets', 'status')
  assert.deepEqual([(status.dataKeys as unknown[]).length, status.warnings], [1, []])
  await routes.refresh()
  assert.equal(
    JSON.stringify(routes.value.filter(({ id }) => !id.startsWith('bulk'))),
    JSON.stringify((JSON.parse(linked) as typeof routes.value).filter(({ id }) => !id.startsWith('bulk'))),
    'no link is opened again',
  )
  const again = await run(environmentOf(url, keys), 'secrets', 'rekey')
  assert.deepEqual([again.added, again.reencrypted], [false, 0])
  // Pushes continue, signed with the current secrets.
  const { secret } = (
    await server.inject({ method: 'POST', url: `/v1/webhook/${rows[0]!.id}/rotate` })
  ).json<{ data: { secret: string } }>().data
  await waitFor('a push with the new secret', async () => {
    await writeReports(database, accountId, 1)
    return receiver.arrivals.slice(-20).some((arrival) => isSigned(arrival, secret))
  })
})
