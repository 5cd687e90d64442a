/** Which errors are repeated, and which isolate and park the item that caused them; with the reason for each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AMQPChannelError } from 'rabbitmq-client'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { BrokerUnavailable } from './broker/publish.ts'
import { ProcessStopping } from './retry.ts'
import { isTransient, transientStates } from './transient.ts'

const failure = (code: string): Error => Object.assign(new Error(`code ${code}`), { code })

const states: [code: string, transient: boolean, reason: string][] = [
  ['08000', true, 'the connection broke'],
  ['08006', true, 'the connection broke'],
  ['08P01', true, 'a connection pooler lost its server'],
  ['0A000', true, 'a migration changed the result of a prepared statement'],
  ['22001', false, 'the value of a row is too long'],
  ['22003', false, 'the value of a row is out of range'],
  ['22007', false, 'a row has an invalid time'],
  ['22021', false, 'a row has a character that cannot be stored'],
  ['22P02', false, 'a row has a malformed value'],
  ['22P05', false, 'a row has a character that cannot be converted'],
  ['23502', false, 'a row lacks a value'],
  ['23503', false, 'a row refers to one that does not exist'],
  ['23505', false, 'the row exists already'],
  ['23514', false, 'the row belongs to no partition or violates a check'],
  ['25001', false, 'a bug: the statement cannot run in a transaction'],
  ['25006', true, 'a standby, or a primary that is not yet promoted'],
  ['25P02', false, 'a bug: an earlier error of the transaction was ignored'],
  ['25P03', true, 'the process was frozen in a transaction'],
  ['25P04', true, 'the transaction took too long'],
  ['28000', true, 'pg_hba.conf refuses the host: every item would be parked'],
  ['28P01', true, 'the password was changed: every item would be parked'],
  ['3D000', true, 'the database does not exist yet'],
  ['40001', true, 'a serialization failure'],
  ['40P01', true, 'a deadlock'],
  ['42501', true, 'a grant is missing: every item would be parked'],
  ['42601', false, 'a bug: the statement has a syntax error'],
  ['42703', true, 'the schema is being upgraded: every item would be parked'],
  ['42804', false, 'a bug: a value has the wrong type'],
  ['42883', false, 'a bug: no such function'],
  ['42P01', true, 'the schema is being upgraded: every item would be parked'],
  ['53100', true, 'the disk is full'],
  ['53200', true, 'memory is exhausted'],
  ['53300', true, 'too many connections'],
  ['54000', false, 'a row is too large for an index'],
  ['54001', false, 'a value is nested too deeply'],
  ['55000', false, 'the object is in the wrong state'],
  ['55P03', true, 'a lock was not available'],
  ['57014', true, 'the statement was cancelled'],
  ['57P01', true, 'an administrator ended the session'],
  ['57P02', true, 'the server crashed'],
  ['57P03', true, 'the server is starting'],
  ['57P05', true, 'the session was idle for too long'],
  ['58000', true, 'the operating system failed'],
  ['58030', true, 'the disk failed'],
  ['P0001', false, 'a trigger refuses the row'],
  ['XX000', false, 'an internal error; a value may cause it'],
  ['XX001', false, 'the data of a row is corrupted'],
]
for (const [code, transient, reason] of states) {
  test(`SQLSTATE ${code} is ${transient ? 'transient' : 'permanent'}: ${reason}`, () => {
    assert.equal(isTransient(failure(code)), transient)
  })
}

test('every listed SQLSTATE has a case here', () => {
  for (const [prefix] of transientStates) assert.ok(states.some(([code]) => code.startsWith(prefix), prefix))
})

const errors: [what: string, error: unknown, transient: boolean][] = [
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EAI_AGAIN',
    'ENOTFOUND',
    'CERT_HAS_EXPIRED',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_STREAM_DESTROYED',
  ].map((code): [string, unknown, boolean] => [code, failure(code), true]),
  ['an ended connection', new Error('Connection terminated unexpectedly'), true],
  ['a connection that is closed', new Error('Connection terminated'), true],
  ['a busy pool', new Error('timeout exceeded when trying to connect'), true],
  ['a silent server', new Error('Query read timeout'), true],
  ['a lost client', new Error('Client has encountered a connection error and is not queryable'), true],
  ['several addresses that refuse', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), true],
  ['an unavailable broker', new BrokerUnavailable('not connected'), true],
  ['a closed channel', amqpError(), true],
  ['a process that is stopping', new ProcessStopping('interrupted'), true],
  ['an interrupted delay', new DOMException('aborted', 'AbortError'), true],
  ['a bug or a malformed job', new TypeError('Cannot read properties of undefined'), false],
  ['a number out of range', new RangeError('Invalid time value'), false],
  ['an unreadable text', new SyntaxError('Unexpected token'), false],
  ['a plain error', new Error('something else'), false],
  ['a missing file', failure('ENOENT'), false],
  ['an invalid argument', failure('ERR_INVALID_ARG_TYPE'), false],
  ['something that is not an error', { code: '57P01' }, false],
]
for (const [what, error, transient] of errors) {
  test(`${what} is ${transient ? 'transient' : 'permanent'}`, () => {
    assert.equal(isTransient(error), transient)
  })
}

function amqpError(): Error {
  return Object.assign(Object.create(AMQPChannelError.prototype) as Error, {
    name: 'AMQPChannelError',
    code: 'CH_CLOSE',
  })
}

test('PostgreSQL reports an oversized index row, a missing table and a cancelled statement with these codes', async () => {
  const { database } = await createEmptyDatabase()
  await database.query('create table ids (id text primary key)')
  const oversized = database.query(
    `insert into ids select string_agg(md5(n::text), '') from generate_series(1, 300) n`,
  )
  await assert.rejects(oversized, (error: Error) => !isTransient(error) && 'code' in error)
  await assert.rejects(database.query('select from nowhere'), (error) => isTransient(error))
  const client = await database.connect()
  await client.query('set statement_timeout = 20')
  await assert.rejects(client.query('select pg_sleep(5)'), (error) => isTransient(error))
  client.release(true)
})
