/** Opens PostgreSQL around a command and closes it. A server that cannot be used is reported in one line, without its password. */
import { measureClock, SlowAnswer } from '../platform/clock-measurement.ts'
import { clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { openDatabase, type Database } from '../platform/database.ts'
import { openEncryption, type Encryption } from '../platform/encryption/encryption.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { createLog } from '../platform/log.ts'
import { ActAudit } from '../acts/act-audit.ts'
import { FailedError, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'
import type { BaseSetting, SecretSetting } from './setting-lists.ts'
import { signCommand } from './sign-in.ts'

const clockTries = 5

/** Connections of a command that changes nothing can only read. */
export async function withDatabase<T, Key extends keyof Config = never>(
  invocation: Invocation<Key>,
  work: (database: Database, config: Pick<Config, Key | BaseSetting>, audit: ActAudit) => Promise<T>,
): Promise<T> {
  const config = invocation.loadSettings()
  const database = openDatabase(config.databaseUrl, createLog('error', 'cli'), {
    // A lock on an account, a change, and the keys of the installation.
    connections: 3,
    // The lookup of a webhook's host may take this long while the account is locked.
    idleMs: 60_000,
    readOnly: invocation.access.kind !== 'change',
  })
  try {
    clock.maxSkewMs = config.maxClockSkewSeconds * 1000
    await measureClockPatiently(database)
    const signed = await signCommand(database, invocation, config)
    return await work(database, config, new ActAudit(database, invocation, signed))
  } catch (error) {
    throw explainDatabaseError(error, config.databaseUrl)
  } finally {
    await database.end()
  }
}

/** A command must work while PostgreSQL is overloaded, to stop an account for example; one slow answer measures nothing. */
export async function measureClockPatiently(database: Database): Promise<void> {
  for (let left = clockTries; ; left -= 1) {
    try {
      await measureClock(database, clock)
      return
    } catch (error) {
      if (left <= 1 || !(error instanceof SlowAnswer)) throw error
    }
  }
}

/** With the keys of the installation. They are read when the first secret is: most runs of a command use none. */
export function withSecrets<T, Key extends keyof Config = never>(
  invocation: Invocation<Key | SecretSetting>,
  work: (
    database: Database,
    config: Pick<Config, Key | SecretSetting | BaseSetting>,
    cipher: FieldCipher,
    audit: ActAudit,
  ) => Promise<T>,
): Promise<T> {
  return withDatabase(invocation, (database, config, audit) => {
    let opened: Promise<Encryption> | undefined
    const open = async (): Promise<Encryption> => {
      const encryption = openEncryption(config)
      // A command that changes nothing adds no key; it reads those that it needs.
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

/** A plain error for a cause that an operator can remove; any other error as it is. */
export function explainDatabaseError(error: unknown, url: string): unknown {
  const { code, message, syscall } = error as Readonly<Record<'code' | 'message' | 'syscall', unknown>>
  const server = `PostgreSQL at ${addressOf(url)}`
  const text = String(message)
  const state = typeof code === 'string' ? code : ''
  if (state === 'ERR_INVALID_URL')
    return new UsageError(
      'POSTERN_DATABASE_URL is not a valid URL; percent-encode special characters in the user name and password',
    )
  if (networkErrors.test(state) || syscall === 'connect' || /^(timeout exceeded|Connection term)/.test(text))
    return new FailedError(
      `${server} is unavailable (${state === '' ? text : state}); check that it is running and that POSTERN_DATABASE_URL names it`,
    )
  if (/^(28...|3D000)$/.test(state))
    return new FailedError(`${server} refused the connection: ${text}; check POSTERN_DATABASE_URL`)
  if (/^(42P01|42703|42883)$/.test(state))
    return new FailedError(
      `${server} does not have the tables of this version (${text}); run \`postern migrate\``,
    )
  if (state === '42501')
    return new FailedError(
      `${server}: ${text}; the database user of this command may not do this. docs/operations/operators.md says what each role may; after an upgrade run \`postern database roles\``,
    )
  return error
}

/** Of the network, and of a server that is starting, stopping or out of connections. */
const networkErrors =
  /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0.|53300)$/

function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'the address in POSTERN_DATABASE_URL'
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '5432' : port}`
}
