/** Commands of routes and messages print the same over the admin API as on the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/both-ways.ts'
import { acceptedJob, createAccount, recipient, recordJobs } from '../../../test/support/fixtures.ts'
import { saveParked } from '../../records/parked/queries.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'

const ways = await startBothWays()
const { database, compare, onDatabase, overHttp } = ways
const accountId = await createAccount(database, 'shop')
const because = ['--reason', 'a test']

async function local(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await onDatabase(...args)
  assert.equal(exitCode, 0, stderr)
}

const options = JSON.stringify({ url: 'http://127.0.0.1:1', clientId: 'x', password: 'a-secret' })
await local('route', 'put', 'r', '--protocol', 'sandbox', '--channels', 'sms', '--owners', '2')
await local(
  'route',
  'put',
  'h',
  '--protocol',
  'omni',
  '--channels',
  'sms',
  '--accounts',
  'shop',
  '--options',
  options,
)

test('route templates put, list and delete', async () => {
  await compare(['route', 'templates', 'put', 'UBR.shop-order', '--kind', 'Cell'])
  await compare(['route', 'templates', 'put', 'a/b?c', '--kind', 'Cell'])
  const { templates } = (await compare(['route', 'templates', 'list'])) as { templates: object[] }
  assert.equal(templates.length, 2)
  const put = ['route', 'templates', 'put', 'a/b?c', '--kind', 'Cell']
  await compare(['route', 'templates', 'delete', 'a/b?c'], { before: () => local(...put) })
  const gone = ['route', 'templates', 'delete', 'a/b?c']
  assert.deepEqual(await overHttp(...gone), await onDatabase(...gone))
})

test('route list, show and explain', async () => {
  const { routes } = (await compare(['route', 'list'])) as { routes: { id: string }[] }
  assert.deepEqual(
    routes.map(({ id }) => id),
    ['h', 'r'],
  )
  await compare(['route', 'show', 'r'])
  const shown = await compare(['route', 'show', 'h'])
  assert.ok(!JSON.stringify(shown).includes('a-secret'))
  const key = '2026111502322500000ABCDEFGHIJKLM'
  const question = ['--account', 'shop', '--channel', 'sms', '--to', recipient, '--msg-key', key]
  await compare(['route', 'explain', ...question])
})

test('route list and show say why a route is not linked', async () => {
  const reason = 'the carrier refused the login (0x0000000E)'
  await database.query(
    `insert into route_states (route_id, owner, linked, link_reason, urgent_capacity, normal_capacity, bulk_capacity, seen_at)
     values ('h', 'test', false, $1, 0, 0, 0, now())`,
    [reason],
  )
  await database.query(`insert into members (id, role, host) values ('test', 'worker', 'here:1')`)
  // As a worker does: the state of one that is silent is not shown.
  const alive = setInterval(() => {
    void database.query(`update members set seen_at = now() where id = 'test'`)
  }, 200)
  try {
    const { routes } = (await compare(['route', 'list'])) as { routes: Listed[] }
    const { state, shares } = routes.find(({ id }) => id === 'h')!
    assert.deepEqual([state, shares[0]!.linkReason], ['is not linked', reason])
    assert.equal(routes.find(({ id }) => id === 'r')!.shares[0]!.linkReason, null)
    const shown = (await compare(['route', 'show', 'h'])) as Listed
    assert.deepEqual([shown.state, shown.shares[0]!.linkReason], ['is not linked', reason])
    for (const command of [['list'], ['show', 'h']]) {
      const { stdout } = await onDatabase('route', ...command)
      assert.ok(stdout.includes(`is not linked: ${reason}`), stdout)
    }
  } finally {
    clearInterval(alive)
    await database.query(`delete from route_states`)
    await database.query(`delete from members`)
  }
})

interface Listed {
  readonly id: string
  readonly state: string
  readonly shares: readonly { readonly linkReason: string | null }[]
}

test('more routes than a page has', async () => {
  await database.query(
    `insert into routes (id, channels, protocol, options, priority)
     select 'many-' || n, '{sms}', 'sandbox', '{}', 200 from generate_series(1, 250) n`,
  )
  const { routes } = (await compare(['route', 'list'])) as { routes: unknown[] }
  assert.equal(routes.length, 252)
  await database.query(`delete from routes where id like 'many-%'`)
})

test('route put creates a route, and replaces it whatever it was', async () => {
  const rules = [
    '--priority',
    '7',
    '--prefixes',
    '010',
    '--carriers',
    '10001',
    '--accounts',
    'shop',
    '--weight',
    '3',
  ]
  const put = [
    'route',
    'put',
    'p',
    '--protocol',
    'omni',
    '--channels',
    'sms,mms',
    '--options',
    options,
    ...rules,
  ]
  await compare(put)
  await compare(['route', 'show', 'p'])
  await compare(['route', 'put', 'p', '--protocol', 'sandbox', '--channels', 'sms', '--disabled'])
  await compare(['route', 'show', 'p'])
  assert.match((await overHttp('route', 'put', 'p', '--channels', 'sms')).stderr, /--options is missing/)
  const unknown = ['route', 'put', 'q', '--protocol', 'sandbox', '--channels', 'sms', '--accounts', 'nobody']
  assert.equal((await overHttp(...unknown)).stderr, (await onDatabase(...unknown)).stderr)
  await local('route', 'delete', 'p', ...because)
})

test('route pause, drain, rate, disable, enable and delete', async () => {
  await compare(['route', 'pause', 'r'])
  await compare(['route', 'drain', 'r'])
  await compare(['route', 'rate', 'r', '7'], { before: () => local('route', 'rate', 'r', '3') })
  await compare(['route', 'disable', 'r'])
  await compare(['route', 'enable', 'r', ...because])
  await compare(['route', 'delete', 'h', '--dry-run'])
  await compare(['route', 'delete', 'gone', ...because], {
    before: () => local('route', 'put', 'gone', '--protocol', 'sandbox', '--channels', 'sms'),
  })
})

test('what the database refuses, the admin API refuses with the same words', async () => {
  for (const args of [
    ['route', 'show', 'nobody'],
    ['route', 'pause', 'nobody'],
    ['message', 'show', 'x'],
    ['message', 'show', '2026111502322500000ABCDEFGHIJKLM'],
    ['message', 'show', await accepted(), '--reveal'],
    ['message', 'find', 'nobody', recipient, ...because],
    ['message', 'find', 'shop', recipient],
    ['message', 'cancel', await accepted(), ...because],
  ]) {
    const [one, other] = [await onDatabase(...args), await overHttp(...args)]
    // The admin API of the tests names its queues by the default.
    const stderr = one.stderr.replace(/test\.\w+\./, 'postern.')
    assert.deepEqual(other, { ...one, stderr })
    assert.notEqual(one.exitCode, 0)
  }
})

async function accepted(): Promise<string> {
  const job = acceptedJob({ accountId })
  await recordJobs(database, [job])
  return job.msgKey
}

async function schedule(): Promise<string> {
  const msgKey = await accepted()
  await holdSteps(database, [
    {
      ...{ msgKey, step: 1, try: 1, accountId, routeId: '', lane: 'normal', parts: 1, tries: 0 },
      ...{ releaseAt: new Date(Date.now() + 3_600_000), reason: 'scheduled' },
    },
  ])
  return msgKey
}

test('message show, whole and with numbers', async () => {
  // Closed: the last event of an open message has the time of the command.
  const msgKey = await schedule()
  await local('message', 'cancel', msgKey, ...because)
  const hidden = await compare(['message', 'show', msgKey])
  assert.ok(!JSON.stringify(hidden).includes(recipient))
  const shown = await compare(['message', 'show', msgKey, '--reveal', ...because])
  assert.ok(JSON.stringify(shown).includes(recipient))
})

test('message find', async () => {
  const msgKey = await accepted()
  const found = await compare(['message', 'find', 'shop', recipient, ...because])
  assert.equal((found as { messages: { msgKey: string }[] }).messages[0]?.msgKey, msgKey)
  await compare(['message', 'find', 'shop', '01099999999', ...because])
})

test('message cancel', async () => {
  for (const way of [onDatabase, overHttp]) {
    const msgKey = await schedule()
    const { exitCode, stdout, stderr } = await way('message', 'cancel', msgKey, ...because, '--json')
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), { msgKey, cancelled: true })
  }
})

test('a control character in an answer does not reach the terminal', async () => {
  const job = acceptedJob({ accountId })
  await saveParked(database, [
    { stage: 'intake', msgKey: job.msgKey, reason: 'x\u001b[2J\u202e', payload: Buffer.from('{}') },
  ])
  const { stdout } = await overHttp('message', 'show', job.msgKey)
  assert.match(stdout, /x\uFFFD\[2J/)
  await compare(['message', 'show', job.msgKey])
})
