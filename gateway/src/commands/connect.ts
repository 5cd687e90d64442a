/** Opens PostgreSQL around a command and closes it. A server that cannot be used is reported in one line, without its password. */
import { measureClock } from '../platform/clock-measurement.ts'
import { clock } from '../platform/clock.ts'
import { loadConfig, type Config } from '../platform/config.ts'
import { openDatabase, type Database } from '../platform/database.ts'
import { openEncryption, type Encryption } from '../platform/encryption/encryption.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { createLog } from '../platform/log.ts'
import { FailedError, UsageError } from './errors.ts'

export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const database = openDatabase(config.databaseUrl, createLog('error', 'cli'), {
    // A lock on an account, a change, and the keys of the installation.
    connections: 3,
    // The lookup of a webhook's host may take this long while the account is locked.
    idleMs: 60_000,
  })
  try {
    clock.maxSkewMs = config.maxClockSkewSeconds * 1000
    await measureClock(database, clock)
    return await work(database, config)
  } catch (error) {
    throw explainDatabaseError(error, config.databaseUrl)
  } finally {
    await database.end()
  }
}

/** With the keys of the installation. They are read when the first secret is: most runs of a command use none. */
export function withSecrets<T>(
  work: (database: Database, config: Config, cipher: FieldCipher) => Promise<T>,
): Promise<T> {
  return withDatabase((database, config) => {
    let opened: Promise<Encryption> | undefined
    const open = async (): Promise<Encryption> => {
      const encryption = openEncryption(config)
      await encryption.prepare(database)
      return encryption
    }
    const encryption = (): Promise<Encryption> => (opened ??= open())
    return work(database, config, {
      encrypt: async (transaction, text, place) => (await encryption()).encrypt(transaction, text, place),
      decrypt: async (queryable, stored, place) => (await encryption()).decrypt(queryable, stored, place),
    })
  })
}

/** For a command that reads or writes the content of messages. */
export async function openMessageCipher(
  database: Database,
  config: Pick<Config, 'masterKey' | 'previousMasterKey' | 'encryptMessages'>,
): Promise<void> {
  const sealing = config.encryptMessages === 'yes'
  await messageCipher.open(database, openEncryption(config), { sealing }, clock.date())
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
  if (/^(42P01|42703)$/.test(state))
    return new FailedError(
      `${server} does not have the tables of this version (${text}); run \`postern migrate\``,
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
