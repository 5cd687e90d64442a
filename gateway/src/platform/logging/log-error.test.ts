/**
 * A logged error identifies the failure but contains no phone number and no text, whichever driver created
 * it.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { ConnectorContext } from '../../carriers/connectors/connector.ts'
import { createBounded } from '../../carriers/connectors/bounded-connector.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { createTestRedis } from '../../../test/support/engines/redis.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { describeError, safeText } from './log-error.ts'

const number = '01098761234'
const text = 'canary text of a message'
const { database } = await createTestDatabase()
const { redis, keyPrefix } = await createTestRedis()
const { broker, topology } = await createTestBroker()
const { log, lines } = createMemoryLog()

async function failureOf(work: () => unknown): Promise<Error> {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  throw new Error('this work must fail')
}

/** Returns the logged fields after checking that they contain neither canary. */
function logged(error: unknown): Record<string, unknown> {
  lines.length = 0
  log.error({ err: error }, 'it failed')
  assertNoCanary()
  return (JSON.parse(lines[0]!) as { err: Record<string, unknown> }).err
}

function assertNoCanary(): void {
  assert.ok(lines.length > 0)
  for (const line of lines)
    for (const canary of [number, text]) assert.ok(!line.includes(canary), `'${canary}' is in ${line}`)
}

test('PostgreSQL errors keep their code and schema names, but no value', async () => {
  await database.query('create table canaries (number text primary key, n integer check (n < 5))')
  await database.query('insert into canaries values ($1, 1)', [number])
  const duplicate = logged(
    await failureOf(() => database.query('insert into canaries values ($1, 1)', [number])),
  )
  assert.deepEqual([duplicate.code, duplicate.constraint], ['23505', 'canaries_pkey'])
  assert.match(String(duplicate.message), /canaries_pkey/)
  const badRow = logged(await failureOf(() => database.query('insert into canaries values ($1, 9)', [text])))
  assert.deepEqual([badRow.code, badRow.table], ['23514', 'canaries'])
  const wrongType = logged(await failureOf(() => database.query('select $1::text::integer', [text])))
  assert.deepEqual([wrongType.code, wrongType.message], ['22P02', undefined])
  const raised = `do $$ begin raise exception 'refused: ${text} ${number}'; end $$`
  assert.equal(logged(await failureOf(() => database.query(raised))).code, 'P0001')
})

test('Redis errors keep no argument of their command', async () => {
  const key = `${keyPrefix}${randomBytes(4).toString('hex')}`
  await redis.set(key, 'text')
  const wrongType = logged(await failureOf(() => redis.lpush(key, number, text)))
  assert.deepEqual(
    [wrongType.type, wrongType.message],
    ['ReplyError', 'WRONGTYPE Operation against a key holding the wrong kind of value'],
  )
  assert.equal(logged(await failureOf(() => redis.call('NONSENSE', number, text))).message, undefined)
})

test('errors of the language and of parsers are logged without quoted values', async () => {
  const failures = [
    () => JSON.parse(`{"to":"${number}" "text":"${text}"}`) as unknown,
    () => JSON.parse(`${text} is "not" JSON`) as unknown,
    () => new URL(`http://${text}`),
    () => new Headers().append('x', `${text}\n${number}`),
    () => Buffer.alloc(`${number}${text}` as unknown as number),
    () => decodeURIComponent(`${number}%`),
    () => {
      throw new Error('outer', { cause: Object.assign(new Error('inner'), { args: [number, text] }) })
    },
    () => {
      throw Object.assign(new Error(`sent to ${number}\n    at ${number} (file:1:2)`), { input: text })
    },
    () => {
      throw new AggregateError([new SyntaxError(`'${text}'`)], 'several failed')
    },
  ]
  for (const fails of failures) {
    const { stack } = logged(await failureOf(fails))
    assert.match(String(stack), /log-error\.test\.ts/, fails.toString())
  }
  for (const thrown of [number, { text }, [number]]) logged(thrown)
  assert.match(
    safeText(await failureOf(() => (undefined as unknown as string).length)),
    /properties of undefined/,
  )
})

test('an error keeps messages of this program, system errors and causes', async () => {
  const refused = await failureOf(() => fetch('http://127.0.0.1:2/'))
  const { cause } = logged(refused) as { cause: Record<string, unknown> }
  assert.ok(cause.code !== undefined, JSON.stringify(cause))
  assert.equal(logged(new Error('the file cannot be looked up')).message, 'the file cannot be looked up')
  const system = await failureOf(() => process.chdir('/nonexistent'))
  assert.match(String(logged(system).message), /ENOENT/)
  assert.ok(JSON.stringify(describeError(new Error('x'.repeat(10_000)))).length < 8_000)
})

test('a failing connector logs nothing of the submission', async () => {
  lines.length = 0
  const submission = { recipient: number, text }
  const connector = createBounded(
    () =>
      ({
        submit: () => {
          throw Object.assign(new TypeError(`Invalid value "${text}" for ${number}`), { submission })
        },
      }) as never,
    { log } as unknown as ConnectorContext,
  )
  assert.equal((await connector.submit(submission as never)).kind, 'unknown')
  assertNoCanary()
})

test('a response to an Idempotency-Key that Redis refuses is not logged', async () => {
  lines.length = 0
  const account: { id: number } = { id: 0 }
  const api = await createTestServer({
    database,
    broker,
    topology,
    redis,
    queuePrefix: keyPrefix,
    log,
    // Runs between the claim of the key and its response.
    admit: () => void redis.set(`${keyPrefix}idempotency:${account.id}:key`, 'not a hash'),
  })
  const sender = await api.account()
  account.id = sender.id
  const body = { from: '0234567890', to: number, text, ref: `${number} ${text}` }
  const response = await api.call(sender, 'POST', '/v1/send/sms', body, { 'idempotency-key': 'key' })
  assert.equal(response.body.code, 'A000')
  assert.ok(lines.some((line) => line.includes('could not store the response')))
  assertNoCanary()
})
