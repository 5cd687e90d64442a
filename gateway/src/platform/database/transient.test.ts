/** The scope of every error, engine, item or unclear, and whether it is retried, with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AMQPChannelError } from 'rabbitmq-client'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { BrokerUnavailable } from '../broker/publish.ts'
import { openDatabase } from './database.ts'
import { ProcessStopping } from './retry.ts'
import { BatchFailed, PoisonedItem } from './isolation.ts'
import { NotLoaded } from './table-cache.ts'
import { engineStates, isTransient, itemStates, classifyError, type ErrorScope } from './transient.ts'

const describe = { engine: 'of the engine', item: 'of an item', unclear: 'unclear' }
const failure = (code: string): Error => Object.assign(new Error(`code ${code}`), { code })
const serverError = (code: string): Error => Object.assign(failure(code), { severity: 'ERROR' })

const states: [code: string, scope: ErrorScope, reason: string][] = [
  ['08000', 'engine', 'the connection broke'],
  ['08006', 'engine', 'the connection broke'],
  ['08P01', 'engine', 'a connection pooler lost its server'],
  ['0A000', 'engine', 'a migration changed the result of a prepared statement'],
  ['21000', 'item', 'two rows have the same key'],
  ['22001', 'item', 'the value of a row is too long'],
  ['22003', 'item', 'the value of a row is out of range'],
  ['22007', 'item', 'a row has an invalid time'],
  ['22021', 'item', 'a row has a character that cannot be stored'],
  ['22P02', 'item', 'a row has a malformed value'],
  ['22P05', 'item', 'a row has a character that cannot be converted'],
  ['23502', 'item', 'a row lacks a value'],
  ['23503', 'item', 'a row refers to one that does not exist'],
  ['23505', 'item', 'the row exists already'],
  ['23514', 'item', 'the row belongs to no partition or violates a check'],
  ['25001', 'unclear', 'a bug: the statement cannot run in a transaction'],
  ['25006', 'engine', 'a standby, or a primary that is not yet promoted'],
  ['25P02', 'unclear', 'a bug: an earlier error of the transaction was ignored'],
  ['25P03', 'engine', 'the process was frozen in a transaction'],
  ['25P04', 'engine', 'the transaction took too long'],
  ['26000', 'engine', 'a pooler moved the session away from its prepared statements'],
  ['28000', 'engine', 'pg_hba.conf refuses the host: every item would be parked'],
  ['28P01', 'engine', 'the password was changed: every item would be parked'],
  ['3D000', 'engine', 'the database does not exist yet'],
  ['3F000', 'engine', 'the schema does not exist yet'],
  ['40001', 'engine', 'a serialization failure'],
  ['40P01', 'engine', 'a deadlock'],
  ['42501', 'engine', 'a grant is missing: every item would be parked'],
  ['42601', 'unclear', 'a bug: the statement has a syntax error'],
  ['42703', 'engine', 'the schema is being upgraded: every item would be parked'],
  ['42804', 'unclear', 'a bug: a value has the wrong type'],
  ['42883', 'engine', 'the schema is being upgraded: every item would be parked'],
  ['42P01', 'engine', 'the schema is being upgraded: every item would be parked'],
  ['42P10', 'engine', 'the schema is being upgraded: every item would be parked'],
  ['53100', 'engine', 'the disk is full'],
  ['53200', 'engine', 'memory is exhausted'],
  ['53300', 'engine', 'too many connections'],
  ['54000', 'item', 'a row is too large for an index'],
  ['54001', 'item', 'a value is nested too deeply'],
  ['55000', 'unclear', 'the object is in the wrong state'],
  ['55P03', 'engine', 'a lock was not available'],
  ['57014', 'engine', 'the statement was cancelled'],
  ['57P01', 'engine', 'an administrator ended the session'],
  ['57P02', 'engine', 'the server crashed'],
  ['57P03', 'engine', 'the server is starting'],
  ['57P05', 'engine', 'the session was idle for too long'],
  ['58000', 'engine', 'the operating system failed'],
  ['58030', 'engine', 'the disk failed'],
  ['P0001', 'unclear', 'a trigger refuses the row, or every row'],
  ['XX000', 'unclear', 'an internal error; a value or the server may cause it'],
  ['XX001', 'unclear', 'the data of a row, or the index of all, is corrupted'],
]
for (const [code, scope, reason] of states) {
  test(`SQLSTATE ${code} is ${describe[scope]}: ${reason}`, () => {
    assert.equal(classifyError(serverError(code)), scope)
    assert.equal(isTransient(serverError(code)), scope !== 'item')
  })
}

test('every listed SQLSTATE has a test case', () => {
  for (const [prefix] of [...engineStates, ...itemStates])
    assert.ok(
      states.some(([code]) => code.startsWith(prefix)),
      prefix,
    )
})

test('54000 of a server without further transaction ids is an engine error', () => {
  for (const file of ['varsup.c', 'multixact.c'])
    assert.equal(classifyError(Object.assign(serverError('54000'), { file })), 'engine')
  assert.equal(classifyError(Object.assign(serverError('54000'), { file: 'nbtutils.c' })), 'item')
})

const errors: [description: string, error: unknown, scope: ErrorScope, transient: boolean][] = [
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
    'EACCES',
    'EPERM',
    'EPROTO',
    'ENOBUFS',
    'ENOMEM',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EAI_MEMORY',
    'ENOTFOUND',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'CERT_SIGNATURE_FAILURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_STREAM_DESTROYED',
  ].map((code): [string, unknown, ErrorScope, boolean] => [code, failure(code), 'engine', true]),
  ['an ended connection', new Error('Connection terminated unexpectedly'), 'engine', true],
  ['a connection that is closed', new Error('Connection terminated'), 'engine', true],
  [
    'a connection that has failed before',
    new Error('Client has encountered a connection error and is not queryable'),
    'engine',
    true,
  ],
  ['a busy pool', new Error('timeout exceeded when trying to connect'), 'engine', true],
  ['a silent server', new Error('Query read timeout'), 'engine', true],
  ['a client that was closed', new Error('Client was closed and is not queryable'), 'engine', true],
  [
    'several addresses that refuse',
    Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
    'engine',
    true,
  ],
  ['an unavailable broker', new BrokerUnavailable('not connected'), 'engine', true],
  ['a closed channel', amqpError(), 'engine', true],
  ['a process that is stopping', new ProcessStopping('interrupted'), 'engine', true],
  ['a table that is not loaded yet', new NotLoaded('routes'), 'engine', true],
  ['an interrupted delay', new DOMException('aborted', 'AbortError'), 'engine', true],
  ['a batch of which most items fail', new BatchFailed('batch'), 'engine', true],
  ['an item that fails alone', new PoisonedItem(new Error('alone')), 'item', false],
  ['a failed request', new TypeError('fetch failed'), 'engine', true],
  ['a port out of range', coded(new RangeError('port'), { code: 'ERR_SOCKET_BAD_PORT' }), 'engine', true],
  ['a TypeError of a system call', coded(new TypeError('x'), { syscall: 'connect' }), 'engine', true],
  ['exhausted memory', new RangeError('Array buffer allocation failed'), 'engine', true],
  ['a bug or a malformed job', new TypeError('Cannot read properties of undefined'), 'unclear', false],
  ['a number out of range', new RangeError('Invalid time value'), 'unclear', false],
  ['an unreadable text', new SyntaxError('Unexpected token'), 'unclear', false],
  ['an invalid argument', coded(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 'unclear', false],
  ['a plain error', new Error('something else'), 'unclear', true],
  ['something that is not an error', { code: '22021' }, 'unclear', true],
]
for (const [description, error, scope, transient] of errors) {
  test(`${description} is ${transient ? 'transient' : 'permanent'} and ${describe[scope]}`, () => {
    assert.equal(classifyError(error), scope)
    assert.equal(isTransient(error), transient)
  })
}

function coded(error: Error, fields: object): Error {
  return Object.assign(error, fields)
}

function amqpError(): Error {
  return Object.assign(Object.create(AMQPChannelError.prototype) as Error, {
    name: 'AMQPChannelError',
    code: 'CH_CLOSE',
  })
}

test('PostgreSQL and its driver really report these codes', async () => {
  const { database } = await createEmptyDatabase()
  await database.query('create table ids (id text primary key)')
  const oversized = database.query(
    `insert into ids select string_agg(md5(n::text), '') from generate_series(1, 300) n`,
  )
  await assert.rejects(oversized, (error: Error) => !isTransient(error) && 'code' in error)
  const missingSocket = openDatabase('postgres://localhost/x?host=/nowhere', silentLog, { connections: 1 })
  await assert.rejects(missingSocket.query('select 1'), (error) => isTransient(error))
  await assert.rejects(database.query('select from nowhere'), (error) => isTransient(error))
  const client = await database.connect()
  await client.query('set statement_timeout = 20')
  await assert.rejects(client.query('select pg_sleep(5)'), (error) => isTransient(error))
  client.release(true)
})
