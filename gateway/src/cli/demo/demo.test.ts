/**
 * `postern demo` creates the objects of a first request once, over both transports, but nothing where
 * messages reach carriers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { loadRouteRules, upsertRoute } from '../../carriers/routes/queries.ts'

interface Demo {
  readonly clientId: string
  readonly route: string
  readonly created: readonly string[]
  readonly key: string | null
  readonly console: string | null
}

const { database, onDatabase, overHttp, adminUrl } = await startBothWays()
const transports = [
  { name: 'the database', run: onDatabase, clientId: 'demo', console: null },
  { name: 'the admin API', run: overHttp, clientId: 'team-a', console: adminUrl },
] as const

async function runDemo(run: typeof onDatabase, clientId: string): Promise<Demo> {
  const { exitCode, stdout, stderr } = await run('demo', '--client-id', clientId, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Demo
}

async function countChanges(): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int as count from audit_log')
  return rows[0]!.count
}

for (const { name, run, clientId, console } of transports)
  test(`the first run over ${name} creates a named account, route and key; the second creates nothing`, async () => {
    const { key, ...first } = await runDemo(run, clientId)
    assert.deepEqual([first.created, first.console], [['account', 'route', 'key'], console])
    assert.match(key!, /^postern_/)
    const account = await database.query<{ name: string }>('select name from accounts where client_id = $1', [
      clientId,
    ])
    assert.deepEqual(account.rows, [{ name: `Sandbox ${clientId}` }])
    const route = (await loadRouteRules(database)).find(({ id }) => id === first.route)!
    assert.deepEqual([route.protocol, route.accounts.length], ['sandbox', 1])
    const before = await countChanges()
    const { key: secondKey, created } = await runDemo(run, clientId)
    assert.deepEqual([secondKey, created], [null, []])
    const { stdout } = await run('demo', '--client-id', clientId)
    assert.match(stdout, new RegExp(`postern account key add ${clientId}`))
    assert.equal(await countChanges(), before)
  })

test('an existing account outside the sandbox is refused', async () => {
  await createAccount(database, 'shop')
  const { exitCode, stderr } = await onDatabase('demo', '--client-id', 'shop')
  assert.equal(exitCode, 1)
  assert.match(stderr, /--client-id/)
})

test('a route to a carrier refuses a new demo, but shows an existing one', async () => {
  await upsertRoute(database, {
    id: 'carrier',
    channels: ['sms'],
    protocol: 'smpp',
    options: { host: 'x', systemId: 'x' },
    priority: 10,
    partsPerSecond: 0,
    enabled: false,
  })
  const before = await countChanges()
  for (const { run, clientId } of transports) {
    const { exitCode, stderr } = await run('demo', '--client-id', 'late')
    assert.equal(exitCode, 1)
    assert.match(stderr, /route carrier leads to a carrier/)
    assert.deepEqual((await runDemo(run, clientId)).created, [])
  }
  assert.equal(await countChanges(), before)
})
