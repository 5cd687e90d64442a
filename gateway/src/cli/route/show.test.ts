/** `postern route show` prints the saved route without secrets, and the defaults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'

const { database, url } = await createTestDatabase()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_ROUTE_SECRET_ACME_KEY: 'hush-hush',
}
const run = (...args: string[]) => runCommand(environment, 'route', ...args)

async function put(id: string, protocol: string, channels: string, options: object, ...more: string[]) {
  const link = ['--protocol', protocol, '--channels', channels, '--options', JSON.stringify(options)]
  const saved = await run('put', id, ...link, ...more)
  assert.equal(saved.exitCode, 0, saved.stderr)
}

async function show(id: string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await run('show', id, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('every setting is shown, references are kept, and a literal secret is masked', async () => {
  await database.query(`insert into accounts (client_id, name) values ('acme', 'acme')`)
  const rules = ['--accounts', 'acme', '--prefixes', '010,+81', '--priority', '5', '--disabled']
  const link = {
    host: 'smsc.example',
    systemId: 'me',
    password: 'hush',
    systemType: 'env:POSTERN_ROUTE_SECRET_ACME_KEY',
  }
  await put('skylink', 'smpp', 'sms', link, ...rules)
  const { stdout } = await run('show', 'skylink')
  for (const line of [
    /^protocol +smpp$/m,
    /^enabled +no$/m,
    /^prefixes +010, \+81$/m,
    /^options password +\*\*\*$/m,
    /^options system type +env:POSTERN_ROUTE_SECRET_ACME_KEY$/m,
    /^defaults port +2775$/m,
    /^defaults data coding\.ucs 2 +8$/m,
  ])
    assert.match(stdout, line)
  assert.doesNotMatch(stdout, /hush/)

  const shown = await show('skylink')
  assert.deepEqual(shown['options'], { ...link, password: '***' })
  assert.equal((shown['defaults'] as Record<string, unknown>)['port'], 2775)
  assert.ok(!Object.hasOwn(shown['defaults'] as object, 'host'))
  assert.deepEqual(
    [shown['accounts'], shown['priority'], shown['unknownPolicy'], shown['enabled']],
    [['acme'], 5, 'fail', false],
  )
})

test('secrets are masked at any depth, and so are unknown fields', async () => {
  const carrier = { url: 'http://127.0.0.1:1/', clientId: 'c', clientSecret: 'hush-1' }
  const maap = {
    carriers: { kt: carrier },
    agencyId: 'a',
    agencyKey: 'env:POSTERN_ROUTE_SECRET_ACME_KEY',
    webhookToken: 'hush-hush-hush-1',
  }
  await put('rcs', 'maap', 'rcs', maap)
  assert.deepEqual((await show('rcs'))['options'], {
    ...maap,
    webhookToken: '***',
    carriers: { kt: { ...carrier, clientSecret: '***' } },
  })
  const vonage = { apiKey: 'abc', apiSecret: 'hush-2', callbackToken: 'hush-hush-hush-3' }
  await put('agg', 'vonage', 'sms', vonage)
  assert.deepEqual((await show('agg'))['options'], { ...vonage, apiSecret: '***', callbackToken: '***' })

  await database.query(
    `update routes set protocol = 'of-tomorrow', options = '{"key":"hush-4","at":"env:POSTERN_ROUTE_SECRET_ACME_KEY"}' where id = 'agg'`,
  )
  const unknown = await show('agg')
  assert.deepEqual(
    [unknown['options'], unknown['defaults']],
    [{ key: '***', at: 'env:POSTERN_ROUTE_SECRET_ACME_KEY' }, {}],
  )
})

test('an unknown route is an error', async () => {
  const { exitCode, stderr } = await run('show', 'none')
  assert.deepEqual([exitCode, /route 'none' not found; `postern route list`/.test(stderr)], [1, true])
})
