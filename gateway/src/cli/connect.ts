/**
 * Opens the database for a command and closes it afterwards. A connection error is reported in one line,
 * without the password.
 */
import { measureClock, SlowClockResponse } from '../platform/database/clock-measurement.ts'
import { clock } from '../platform/time/clock.ts'
import type { Config } from '../platform/settings/config.ts'
import { openDatabase, type Database } from '../platform/database/database.ts'
import { openEncryption, type Encryption } from '../platform/encryption/encryption.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { createLog } from '../platform/logging/log.ts'
import { AuditRecorder } from '../operations/audit-recorder.ts'
import { FailedError, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'
import type { BaseSetting, SecretSetting } from './setting-lists.ts'
import { signCommand } from './sign-in.ts'

const clockTries = 5

/** Runs `work` with a database connection, which is read-only unless the command changes something. */
export async function withDatabase<T, Key extends keyof Config = never>(
  invocation: Invocation<Key>,
  work: (database: Database, config: Pick<Config, Key | BaseSetting>, audit: AuditRecorder) => Promise<T>,
): Promise<T> {
  const config = invocation.loadSettings()
  const database = openDatabase(config.databaseUrl, createLog('error', 'cli'), {
    // One holds an account lock, one makes the change, and one reads the keys of the installation.
    connections: 3,
    // The lookup of a webhook's host may take this long while the account is locked.
    idleMs: 60_000,
    readOnly: invocation.access.kind !== 'change',
  })
  try {
    clock.maxSkewMs = config.maxClockSkewSeconds * 1000
    await measureClockPatiently(database)
    const signed = await signCommand(database, invocation, config)
    return await work(database, config, new AuditRecorder(database, invocation, signed))
  } catch (error) {
    throw explainDatabaseError(error, config.databaseUrl)
  } finally {
    await database.end()
  }
}

/**
 * Measures the clock and repeats slow measurements, at most five in all: a command must work while PostgreSQL
 * is overloaded, for example to block an account.
 */
export async function measureClockPatiently(database: Database): Promise<void> {
  for (let left = clockTries; ; left -= 1) {
    try {
      await measureClock(database, clock)
      return
    } catch (error) {
      if (left <= 1 || !(error instanceof SlowClockResponse)) throw error
    }
  }
}

/**
 * Runs `work` with a database connection and a cipher for secrets. The keys are loaded when the first secret
 * is read or written, because most runs of a command need none.
 */
export function withSecrets<T, Key extends keyof Config = never>(
  invocation: Invocation<Key | SecretSetting>,
  work: (
    database: Database,
    config: Pick<Config, Key | SecretSetting | BaseSetting>,
    cipher: FieldCipher,
    audit: AuditRecorder,
  ) => Promise<T>,
): Promise<T> {
  return withDatabase(invocation, (database, config, audit) => {
    let opened: Promise<Encryption> | undefined
    const open = async (): Promise<Encryption> => {
      const encryption = openEncryption(config)
      // A command that changes nothing adds no key; it only reads existing ones.
      if (invocation.access.kind === 'change') await encryption.prepare(database)
      return encryption
    }
    const encryption = (): Promise<Encryption> => (opened ??= open())
    const cipher: FieldCipher = {
      encrypt: async (transaction, text, place) => (await encryption()).encrypt(transaction, text, place),
      decrypt: async (queryable, stored, place) => (await encryption()).decrypt(queryable, stored, place),
    }
    return work(database, config, cipher, audit)
  })
}

/** Returns a plain error for a cause that an operator can fix; any other error is returned unchanged. */
export function explainDatabaseError(error: unknown, url: string): unknown {
  const { code, message, syscall } = error as Readonly<Record<'code' | 'message' | 'syscall', unknown>>
  const server = `PostgreSQL at ${formatAddress(url)}`
  const text = String(message)
  const state = typeof code === 'string' ? code : ''
  if (state === 'ERR_INVALID_URL')
    return new UsageError(
      'POSTERN_DATABASE_URL is not a valid URL; percent-encode special characters in the user name and password',
    )
  if (networkErrors.test(state) || syscall === 'connect' || /^(timeout exceeded|Connection term)/.test(text))
    return new FailedError(
      `${server} is unavailable (${state === '' ? text : state}); check that it is running and that POSTERN_DATABASE_URL is correct`,
    )
  if (/^(28...|3D000)$/.test(state))
    return new FailedError(`${server} refused the connection: ${text}; check POSTERN_DATABASE_URL`)
  if (/^(42P01|42703|42883)$/.test(state))
    return new FailedError(
      `${server} does not have the tables of this version (${text}); run \`postern migrate\``,
    )
  if (state === '42501')
    return new FailedError(
      `${server}: ${text}; the database user of this command lacks the privilege. docs/operations/operators.md lists the rights of each role; after an upgrade run \`postern database roles\``,
    )
  return error
}

/** Errors of the network, and of a server that is starting, stopping or out of connections. */
const networkErrors =
  /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0.|53300)$/

function formatAddress(url: string): string {
  if (!URL.canParse(url)) return 'the address in POSTERN_DATABASE_URL'
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '5432' : port}`
}
