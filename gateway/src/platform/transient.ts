/**
 * Decides whether work that failed may succeed when it is repeated unchanged. The list names what is transient: errors of
 * the connection, the server, the broker or the installation, which no item of a batch can cause. Everything else is
 * permanent: the stage isolates the item that caused it and parks it, and a periodic task logs it and continues. With a list
 * of permanent errors instead, one row too large for an index would be retried indefinitely and stop its stage.
 */

/** SQLSTATE codes, or the first characters of a class, with the reason why a repetition may succeed. */
export const transientStates: readonly (readonly [prefix: string, reason: string])[] = [
  ['08', 'the connection was lost or refused'],
  ['0A000', 'a migration changed the result of a prepared statement; a new connection prepares it again'],
  ['25006', 'the server is a standby or not yet promoted after a failover'],
  ['25P03', 'the session idled in a transaction, because the process was frozen'],
  ['25P04', 'the transaction took too long, because the server or the process was slow'],
  ['28', 'the server refuses the login until its configuration or the password is corrected'],
  ['3D000', 'the database does not exist yet'],
  ['40', 'a deadlock or a serialization failure; the transaction was rolled back'],
  ['42501', 'a grant is missing until an operator adds it'],
  ['42703', 'the schema is older or newer than the process, in the middle of an upgrade'],
  ['42P01', 'the schema is older than the process, in the middle of an upgrade'],
  ['53', 'the disk is full, memory or connections are exhausted'],
  ['55P03', 'a lock was not available'],
  ['57014', 'the statement was cancelled by a timeout or an operator'],
  ['57P', 'the server is starting, stopping or was restarted'],
  ['58', 'the operating system of the server reported an error'],
]

/** Errors of sockets, of name resolution and of TLS. */
const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EMFILE',
  'ENFILE',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const networkFamilies = /^(ERR_SSL_|ERR_TLS_|ERR_STREAM_|ERR_SOCKET_)/

/** Errors by class name: of the broker and its driver, and of a process that is stopping. */
const names: ReadonlySet<string> = new Set([
  'BrokerUnavailable',
  'AMQPError',
  'AMQPChannelError',
  'AMQPConnectionError',
  'ProcessStopping',
  'NotLoaded',
  'AbortError',
])

/** The PostgreSQL driver reports these without a code. */
const driverTexts =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Received unexpected \w+ message from backend|The server does not support SSL|There was an error establishing an SSL connection)/

export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (names.has(error.name)) return true
  if (typeof code !== 'string') return driverTexts.test(error.message)
  if (networkCodes.has(code) || networkFamilies.test(code)) return true
  return transientStates.some(([prefix]) => code.startsWith(prefix))
}
