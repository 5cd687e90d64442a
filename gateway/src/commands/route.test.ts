/** `postern route`: rules are saved, listed and explained, and nonsense is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { loadRoutes } from '../routes/queries.ts'
import { replaceRanges } from '../routes/ranges.ts'
import { UsageError } from './command.ts'
import { answer, readQuestion } from './route-explain.ts'
import { listRoutes } from './route-list.ts'
import { readRoute, saveRoute } from './route-put.ts'
import { parseRanges } from './route-ranges.ts'
import { toRules } from './route-rules.ts'

const { database } = await createTestDatabase()

const put = (...args: string[]): Promise<void> => saveRoute(database, readRoute(args))
const explain = (account: string, to: string, channel = 'sms'): Promise<string[]> =>
  answer(database, readQuestion(['--channel', channel, '--account', account, '--to', to]))
const cells = (rows: readonly string[]): string[] => rows.map((row) => row.replace(/ {2,}/g, ' | '))
const sandbox = ['--protocol', 'sandbox', '--channels', 'sms']
const addAccount = async (clientId: string): Promise<number> => {
  const added = await database.query<{ id: number }>(
    `insert into accounts (client_id, name, password_hash) values ($1, $1, '') returning id`,
    [clientId],
  )
  return added.rows[0]!.id
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
    ...{ id: 'own', channels: ['sms'], protocol: 'sandbox', options: {}, priority: 10, partsPerSecond: 0 },
    ...{ enabled: true, accounts: [acme], prefixes: ['010', '+81'], carriers: ['10001'], weight: 3 },
    ...{ minDeliveryRate: 0.85, failoverAfterSeconds: 10, unknownPolicy: 'resend' },
  })
  await replaceRanges(database, parseRanges('prefix,carrier\n010,10001\n0109,10002'))
  // As its owner tells it; `all` has none.
  await database.query(
    `insert into route_states (route_id, owner, linked, urgent_room, normal_room, bulk_room, seen_at)
     values ('own', 'test', true, 0, 0, 0, now() + interval '1 hour')`,
  )

  assert.deepEqual(cells(await listRoutes(database)), [
    'route | priority | weight | protocol | pace | channels | serves | now',
    'own | 10 | 3 | sandbox | unlimited | sms | acme 010,+81 10001 | is well',
    'all | 20 | 1 | sandbox | 50/s | sms | all | is owned by no process',
  ])
  assert.deepEqual(cells(await explain('acme', '01012345678')), [
    'own | taken | priority 10',
    'all | passed over | is owned by no process',
  ])
  assert.deepEqual(cells(await explain('beta', '01012345678')), [
    'own | no match | does not serve this account',
    'all | taken | waits: all is owned by no process',
  ])
  assert.match((await explain('acme', '01099998888'))[0]!, /this one is at KT \(10002\)/)
  assert.match((await explain('acme', '01012345678', 'rcs')).at(-1)!, /^No route serves this message/)
})

test('refuses an account nobody has, and says how to find one', async () => {
  const refusal = { message: /no account 'nobody'; `postern account list`/ }
  await assert.rejects(put('own', ...sandbox, '--accounts', 'acme,nobody'), refusal)
  await assert.rejects(explain('nobody', '01012345678'), refusal)
})

test('refuses what cannot be a route or a question, and says what is wanted', () => {
  const routes: [string[], RegExp][] = [
    [['Upper', ...sandbox], /a route id of lower-case letters/],
    [['a', '--protocol', 'sandbox'], /--channels is missing/],
    [['a', '--protocol', 'sandbox', '--channels', 'sms,fax'], /unknown channel 'fax'/],
    [['a', '--channels', 'sms'], /--options is missing/],
    [['a', '--channels', 'sms', '--options', '{'], /--options is not JSON/],
    [['a', ...sandbox, '--priority', 'high'], /--priority wants a whole number/],
  ]
  for (const [args, message] of routes) assert.throws(() => readRoute(args), { message }, args.join(' '))
  const asked = ['--account', 'acme', '--channel', 'sms']
  assert.throws(() => readQuestion(asked), /--to are wanted/)
  assert.throws(() => readQuestion([...asked, '--to', '12']), /--to wants a number/)
  assert.throws(
    () => readQuestion(['--account', 'a', '--channel', 'constructor', '--to', '01012345678']),
    /unknown channel/,
  )
})

test('refuses rules that mean nothing, and names the option', () => {
  const plain = { weight: '1', 'failover-after-seconds': '3', 'unknown-policy': 'fail' }
  const wrong: [object, RegExp][] = [
    [{ prefixes: '010,1' }, /'1' is no prefix/],
    [{ carriers: '10001,KT' }, /unknown carrier 'KT'; known are .*10002 KT/],
    [{ weight: '0' }, /--weight wants a whole number from 1 to 1000/],
    [{ weight: '1.5' }, /--weight/],
    [{ 'min-delivery-rate': '90' }, /--min-delivery-rate wants a share/],
    [{ 'min-delivery-rate': '0' }, /--min-delivery-rate/],
    [{ 'failover-after-seconds': '-1' }, /--failover-after-seconds/],
    [{ 'unknown-policy': 'retry' }, /'fail' or 'resend'/],
  ]
  for (const [values, text] of wrong) {
    assert.throws(
      () => toRules({ ...plain, ...values }),
      (error) => error instanceof UsageError && text.test(error.message),
      JSON.stringify(values),
    )
  }
})

test('reads a file of ranges and refuses a bad line by its number', () => {
  assert.deepEqual(parseRanges('\uFEFF0102,10001\r\n\n "+82105" , 10002\n'), [
    { prefix: '0102', carrier: '10001' },
    { prefix: '+82105', carrier: '10002' },
  ])
  const wrong: [string, RegExp][] = [
    ['010,10001\nx,10001', /^line 2: wants a prefix/],
    ['010,10001,more', /^line 1: wants a prefix/],
    ['010,SKT', /^line 1: unknown carrier 'SKT'/],
    ['010,10001\n+8210,10002', /^line 2: \+8210 belongs to 10001 further up and to 10002 here/],
    ['prefix,carrier\n', /holds no range/],
  ]
  for (const [text, message] of wrong) assert.throws(() => parseRanges(text), { message }, text)
})
