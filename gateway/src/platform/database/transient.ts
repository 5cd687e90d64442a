/**
 * Classifies the cause of an error: an engine or the installation, the processed item, or unclear. The result
 * decides whether failed work is retried unchanged or parked.
 *
 * - `engine`: retried with backoff until it succeeds; nothing is parked. All connection errors, and the
 * states below.
 * - `item`: a value of a row causes it. The batch is divided until the item is alone, and the item is parked.
 * - `unclear`: the batch is divided. An item that fails while others succeed is at fault; if most items fail,
 * the engine is (see `isolation.ts`). A single item is retried, except after a TypeError, RangeError or
 * SyntaxError, which the content of a job can cause.
 */
export type ErrorScope = 'engine' | 'item' | 'unclear'

type States = readonly (readonly [prefix: string, reason: string])[]

/** SQLSTATE codes, or the first characters of a class, that no item can cause. */
export const engineStates: States = [
  ['08', 'the connection was lost or refused'],
  ['0A000', 'a migration changed the result of a prepared statement; a new connection prepares it again'],
  ['25006', 'the server is a standby or not yet promoted after a failover'],
  ['25P03', 'the session idled in a transaction, because the process was frozen'],
  ['25P04', 'the transaction took too long, because the server or the process was slow'],
  ['26', 'a connection pooler moved the session away from its prepared statements'],
  ['28', 'the server refuses the login until its configuration or the password is corrected'],
  ['3D000', 'the database does not exist yet'],
  ['3F000', 'the schema does not exist yet'],
  ['40', 'a deadlock or a serialization failure; the transaction was rolled back'],
  ['42501', 'a grant is missing until an operator adds it'],
  ['42703', 'the schema is older or newer than the process, in the middle of an upgrade'],
  ['42883', 'a function is missing, in the middle of an upgrade'],
  ['42P01', 'the schema is older than the process, in the middle of an upgrade'],
  ['42P10', 'the index of an ON CONFLICT is missing, in the middle of an upgrade'],
  ['53', 'the disk is full, memory or connections are exhausted'],
  ['55P03', 'a lock was not available'],
  [
    '57',
    'the server is starting, stopping or was restarted, or an operator or a timeout cancelled the statement',
  ],
  ['58', 'the operating system of the server reported an error'],
]

/** SQLSTATE classes that a value of a row causes. */
export const itemStates: States = [
  ['21', 'two rows of one statement have the same key'],
  ['22', 'a value is too long, out of range, malformed or cannot be stored'],
  [
    '23',
    'a row lacks a value, exists already, refers to nothing, violates a check or belongs to no partition',
  ],
  ['54', 'a row is too large for an index, or a value is nested too deeply'],
]

/** A server that must be vacuumed before it issues further transaction ids also reports 54000. */
const wraparoundFiles: ReadonlySet<unknown> = new Set(['varsup.c', 'multixact.c'])

/**
 * Scopes of errors by class name: of the broker and its driver, of a process that starts or stops, of a divided
 * batch, and of a message that crashes processes.
 */
const scopesByName: ReadonlyMap<string, ErrorScope> = new Map([
  ['BrokerUnavailable', 'engine'],
  ['AMQPError', 'engine'],
  ['AMQPChannelError', 'engine'],
  ['AMQPConnectionError', 'engine'],
  ['ProcessStopping', 'engine'],
  ['NotLoaded', 'engine'],
  ['AbortError', 'engine'],
  ['BatchFailed', 'engine'],
  ['PoisonedItem', 'item'],
  ['ProcessCrashes', 'item'],
])

/** Errors that the PostgreSQL driver reports without a code. */
const driverTexts =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend|The server does not support SSL|There was an error establishing an SSL connection)/

/**
 * Codes and messages of TypeErrors and RangeErrors that no item value causes: from the network stack, or from
 * exhausted memory.
 */
const networkFamilies = /^ERR_(SSL|TLS|STREAM|SOCKET|HTTP2?|INVALID_URL|INVALID_IP_ADDRESS)/
const processTexts = /^fetch failed|allocation failed/

export function classifyError(error: unknown): ErrorScope {
  if (!(error instanceof Error)) return 'unclear'
  const scopeByName = scopesByName.get(error.name)
  if (scopeByName !== undefined) return scopeByName
  const { code, severity, file, syscall } = error as ErrorFields
  if (typeof severity === 'string') return classifyState(String(code), file)
  if (syscall !== undefined) return 'engine'
  if (isContentError(error)) {
    if (typeof code === 'string' && networkFamilies.test(code)) return 'engine'
    return processTexts.test(error.message) ? 'engine' : 'unclear'
  }
  // A code without a severity comes from a socket, the resolver, TLS or a driver, and not from an item value.
  return typeof code === 'string' || driverTexts.test(error.message) ? 'engine' : 'unclear'
}

/** Reports whether the work may succeed if it is retried unchanged. */
export function isTransient(error: unknown): boolean {
  const scope = classifyError(error)
  return scope === 'engine' || (scope === 'unclear' && !isContentError(error))
}

/** Fields of errors of Node.js and of PostgreSQL. Only errors that the server sends have a severity. */
interface ErrorFields {
  readonly code?: unknown
  readonly severity?: unknown
  readonly file?: unknown
  readonly syscall?: unknown
}

function classifyState(state: string, file: unknown): ErrorScope {
  const isListed = ([prefix]: readonly [string, string]): boolean => state.startsWith(prefix)
  if (engineStates.some(isListed) || wraparoundFiles.has(file)) return 'engine'
  return itemStates.some(isListed) ? 'item' : 'unclear'
}

function isContentError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
