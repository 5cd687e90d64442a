/** `postern route`: rules are saved, listed and explained, and invalid values are refused. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recordOne } from '../../../test/support/fixtures.ts'
import { channelNames } from '../../channels/channel-names.ts'
import { channels } from '../../channels/registry.ts'
import { createTopology } from '../../jobs/queues.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { loadRoutes } from '../../carriers/routes/queries.ts'
import { replaceRanges } from '../../carriers/routes/ranges.ts'
import { parseRanges } from '../../operations/routes/ranges.ts'

const { database, url } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: url, POSTERN_TOKEN_SECRET: 'x'.repeat(32) }

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(environment, 'route', ...args)
  assert.equal(exitCode, 0, stderr)
  return stdout
}
const put = (...args: string[]): Promise<string> => run('put', ...args)
const runJson = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await run(...args, '--json')) as Record<string, unknown>
const explain = async (account: string, to: string, channel = 'sms'): Promise<string[]> => {
  const { routes } = await runJson('explain', '--channel', channel, '--account', account, '--to', to)
  return (routes as { id: string; decision: string; reason: string }[]).map(
    ({ id, decision, reason }) => `${id} | ${decision} | ${reason}`,
  )
}
const sandbox = ['--protocol', 'sandbox', '--channels', 'sms']
const addAccount = async (clientId: string): Promise<number> => {
  const added = await database.query<{ id: number }>(
    `insert into accounts (client_id, name) values ($1, $1) returning id`,
    [clientId],
  )
  return added.rows[0]!.id
}

async function refused(args: readonly string[], exitCode: number, message: RegExp): Promise<void> {
  const output = await runCommand(environment, 'route', ...args)
  assert.match(output.stderr, message)
  assert.deepEqual([output.exitCode, output.stdout], [exitCode, ''], args.join(' '))
}

test('rules are saved, listed and explained', async () => {
  const acme = await addAccount('acme')
  await addAccount('beta')
  const rules = ['--accounts', 'acme', '--prefixes', '010,+81', '--carriers', '10001', '--weight', '3']
  const more = ['--min-delivery-rate', '0.85', '--failover-after-seconds', '10', '--unknown-policy', 'resend']
  await put('own', ...sandbox, '--priority', '10', ...rules, ...more)
  await put('all', ...sandbox, '--priority', '20', '--parts-per-second', '50')
  const saved = await loadRoutes(database)
  assert.deepEqual(saved[0], {
    id: 'own',
    channels: ['sms'],
    protocol: 'sandbox',
    options: {},
    priority: 10,
    partsPerSecond: 0,
    enabled: true,
    accounts: [acme],
    prefixes: ['010', '+81'],
    carriers: ['10001'],
    weight: 3,
    ...{
      minDeliveryRate: 0.85,
      failoverAfterSeconds: 10,
      unknownPolicy: 'resend',
      owners: 1,
      traffic: 'open',
    },
  })
  await replaceRanges(database, parseRanges('prefix,carrier\n010,10001\n0109,10002'))
  // As a route owner writes it; `all` has no owner.
  await database.query(
    `insert into route_states (route_id, owner, linked, urgent_capacity, normal_capacity, bulk_capacity, seen_at)
     values ('own', 'w1', true, 0, 0, 0, now())`,
  )
  await database.query(`insert into members (id, role, host) values ('w1', 'worker', 'gw-1:7')`)
  await database.query(`insert into owned (kind, key, member) values ('partition', $1, 'w1')`, [
    createTopology('').getPartition('own'),
  ])

  assert.deepEqual((await run('list')).trimEnd().split('\n'), [
    'id   priority  weight  protocol  parts per second  channels  accounts  state',
    'own  10        3       sandbox   0                 sms       acme      healthy',
    'all  20        1       sandbox   50                sms       -         is owned by no process',
  ])
  assert.deepEqual(await explain('acme', '01012345678'), [
    'own | taken | priority 10',
    'all | passed over | is owned by no process',
  ])
  assert.deepEqual(await explain('beta', '01012345678'), [
    'own | no match | does not serve this account',
    'all | taken | waits: all is owned by no process',
  ])
  assert.match((await explain('acme', '01099998888'))[0]!, /this one is at KT \(10002\)/)
  assert.ok((await explain('acme', '01012345678', 'rcs')).every((line) => line.includes('| no match |')))
})

test('every route command prints one JSON document without link options', async () => {
  const link = JSON.stringify({ host: '127.0.0.1', port: 1, systemId: 'me', password: 'hidden' })
  const put = ['put', 'linked', '--channels', 'sms', '--priority', '1', '--disabled', '--options', link]
  assert.deepEqual(await runJson(...put), { id: 'linked' })
  const { items } = await runJson('list')
  assert.doesNotMatch(JSON.stringify(items), /hidden/)
  assert.partialDeepStrictEqual((items as object[])[0], {
    ...{
      id: 'linked',
      enabled: false,
      traffic: 'open',
      usable: false,
      state: 'is disabled',
      priority: 1,
      weight: 1,
    },
    owners: 1,
    shares: [{ id: 'linked', worker: null, usable: false, state: 'is disabled', linkReason: null }],
    protocol: 'smpp',
    partsPerSecond: 0,
    channels: ['sms'],
    accounts: [],
    prefixes: [],
    carriers: [],
    minDeliveryRate: null,
    failoverAfterSeconds: 3,
    unknownPolicy: 'fail',
  })
  const { route, routes: explained } = await runJson(
    ...['explain', '--account', 'acme', '--channel', 'sms', '--to', '01012345678'],
  )
  assert.equal(route, 'own')
  assert.deepEqual((explained as object[])[0], {
    id: 'linked',
    routeId: 'linked',
    priority: 1,
    weight: 1,
    decision: 'no match',
    reason: 'is disabled',
  })
  const file = join(tmpdir(), `ranges-${process.pid}.csv`)
  writeFileSync(file, '0102,10001\n')
  addCleanup(() => rmSync(file))
  assert.deepEqual(await runJson('ranges', 'import', file), { ranges: 1 })
  assert.deepEqual(await runJson('ranges', 'clear'), { ranges: 0 })
})

test('a route with several owners is listed and explained by share', async () => {
  await put(
    'split',
    ...sandbox,
    '--priority',
    '5',
    '--parts-per-second',
    '100',
    '--owners',
    '2',
    '--accounts',
    'beta',
  )
  const { items } = await runJson('list')
  const split = (items as { id: string; shares: { id: string }[] }[]).find(({ id }) => id === 'split')
  assert.deepEqual(
    split?.shares.map(({ id }) => id),
    ['split', 'split#2'],
  )
  const explained = (await explain('beta', '01012345678')).filter((line) => line.startsWith('split'))
  assert.deepEqual(
    explained.map((line) => line.split(' | ')[0]),
    ['split', 'split#2'],
  )
  await refused(
    ['put', 'slow', ...sandbox, '--parts-per-second', '3', '--owners', '4'],
    2,
    /owners must not exceed the rate of 3 parts/,
  )
  const omni = { url: 'https://api.example.net', clientId: 'shop', password: 'secret08' }
  await refused(
    [
      'put',
      'polled',
      '--channels',
      'sms',
      '--protocol',
      'omni',
      '--owners',
      '2',
      '--options',
      JSON.stringify(omni),
    ],
    2,
    /owners.* must be 1 .*omni/,
  )
  await refused(['put', 'many', ...sandbox, '--owners', '17'], 2, /--owners must be an integer from 1 to 16/)
  await run('delete', 'split', '--reason', 'test')
})

test('a route is disabled, enabled and deleted, and its waiting messages are counted', async () => {
  await put('brief', ...sandbox)
  const key = await recordOne(database)
  const held = {
    accountId: 1,
    routeId: 'brief',
    lane: 'normal',
    parts: 1,
    tries: 0,
    reason: 'backlog',
  } as const
  await holdSteps(database, [{ ...key, ...held, releaseAt: new Date() }])
  const saved = async (): Promise<boolean | undefined> =>
    (await loadRoutes(database)).find(({ id }) => id === 'brief')?.enabled

  const idle = await runJson('disable', 'brief')
  assert.deepEqual([idle['enabled'], idle['waiting'], await saved()], [false, 1, false])
  const used = await runJson('enable', 'brief')
  assert.deepEqual([used['enabled'], used['waiting'], await saved()], [true, 1, true])
  await run('preview', 'brief', 'delete')
  assert.equal(await saved(), true)
  assert.equal((await runJson('delete', 'brief', '--reason', 'test'))['waiting'], 1)
  assert.equal(await saved(), undefined)
  for (const command of ['enable', 'disable', 'delete'])
    await refused([command, 'brief', '--reason', 'test'], 1, /route 'brief' not found; `postern route list`/)
})

test('refuses an unknown account and names the list command', async () => {
  const message = /account 'nobody' not found; `postern account list`/
  await refused(['put', 'own', ...sandbox, '--accounts', 'acme,nobody'], 1, message)
  await refused(['explain', '--channel', 'sms', '--account', 'nobody', '--to', '01012345678'], 1, message)
})

test('refuses an invalid route or query and names the allowed values', async () => {
  const asked = ['explain', '--account', 'acme', '--channel', 'sms']
  const wrong: [string[], RegExp][] = [
    [['put', 'Upper', ...sandbox], /a route id must be 1 to 32 lower-case letters/],
    [['put', 'a', '--protocol', 'sandbox'], /--channels <names> is required/],
    [['put', 'a', '--protocol', 'sandbox', '--channels', ','], /--channels must name at least one of sms/],
    [['put', 'a', '--protocol', 'sandbox', '--channels', 'sms,fax'], /unknown channel 'fax'/],
    [['put', 'a', '--channels', 'sms'], /--options is required/],
    [['put', 'a', '--channels', 'sms', '--options', '{'], /--options must be JSON/],
    [['put', 'a', '--channels', 'sms', '--options', 'null'], /--options must be a JSON object/],
    [
      ['put', 'a', '--channels', 'sms', '--protocol', 'fax', '--options', '{}'],
      /protocol must be one of .*sandbox.*, got 'fax'/,
    ],
    [
      ['put', 'a', '--channels', 'sms', '--options', '{"host":"h","systemId":"s","tls":{"ca":"no PEM"}}'],
      /tls\.ca must be one or more PEM certificates/,
    ],
    [['put', 'a', ...sandbox, '--priority', 'high'], /--priority must be an integer/],
    [asked, /--to <text> is required/],
    [[...asked, '--to', '12'], /to/],
    [
      ['explain', '--account', 'a', '--channel', 'constructor', '--to', '01012345678'],
      /--channel must be one of/,
    ],
  ]
  for (const [args, message] of wrong) await refused(args, 2, message)
})

test('template kinds are saved, replaced, listed and deleted', async () => {
  await run('templates', 'put', 'UBR.order', '--kind', 'Free')
  await run('templates', 'put', 'UBR.order', '--kind', 'Cell')
  assert.deepEqual((await runJson('templates', 'list'))['items'], [{ id: 'UBR.order', kind: 'Cell' }])
  await refused(
    ['templates', 'put', 'UBR.order', '--kind', 'Cel'],
    2,
    /--kind must be one of Free, Description/,
  )
  await refused(['templates', 'put', 'SS000000', '--kind', 'Cell'], 2, /built-in format/)
  await run('templates', 'delete', 'UBR.order')
  await refused(['templates', 'delete', 'UBR.order'], 1, /template 'UBR\.order' not found/)
})

test('refuses invalid rules and names the option', async () => {
  const wrong: [string[], RegExp][] = [
    [['--prefixes', '010,1'], /--prefixes: '1' is not a prefix/],
    [['--carriers', '10001,KT'], /unknown carrier 'KT'; must be one of .*10002 KT/],
    [['--weight', '0'], /--weight must be an integer from 1 to 1000/],
    [['--weight', '1.5'], /--weight/],
    [['--min-delivery-rate', '90'], /--min-delivery-rate must be a share/],
    [['--min-delivery-rate', '0'], /--min-delivery-rate/],
    [['--failover-after-seconds', '-1'], /--failover-after-seconds/],
    [['--unknown-policy', 'retry'], /--unknown-policy must be one of fail, resend/],
  ]
  for (const [args, message] of wrong) await refused(['put', 'a', ...sandbox, ...args], 2, message)
})

test('the options offer every channel of the registry', () => {
  assert.deepEqual([...channelNames].sort(), Object.keys(channels).sort())
})

test('reads a range file and refuses an invalid line by its number', () => {
  assert.deepEqual(parseRanges('\uFEFF0102,10001\r\n\n "+82105" , 10002\n'), [
    { prefix: '0102', carrier: '10001' },
    { prefix: '+82105', carrier: '10002' },
  ])
  const wrong: [string, RegExp][] = [
    ['010,10001\nx,10001', /^line 2: must be a prefix/],
    ['010,10001,more', /^line 1: must be a prefix/],
    ['010,SKT', /^line 1: unknown carrier 'SKT'/],
    ['010,10001\n+8210,10002', /^line 2: \+8210 belongs to 10001 in line 1 and to 10002 here/],
    ['prefix,carrier\n', /contains no number ranges; nothing was changed/],
  ]
  for (const [text, message] of wrong) assert.throws(() => parseRanges(text), { message }, text)
})
