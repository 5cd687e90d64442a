/**
 * Checks before a role starts that this process can read the secrets in the database. A worker with a master
 * key encrypts those that are still in plaintext, which the database user of the API is not allowed to do. A
 * wrong or missing key prevents the start; the error names the next step.
 */
import { clock } from '../platform/time/clock.ts'
import { ConfigError } from '../platform/settings/config.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { every, type Periodic } from '../platform/time/periodic.ts'
import { retryTransient } from '../platform/database/retry.ts'
import { encryptPlaintext } from '../operations/secrets/reencrypt.ts'
import type { Runtime } from './runtime.ts'

export async function prepareSecrets(
  {
    config,
    database,
    encryption,
    log,
  }: Pick<Runtime, 'database' | 'encryption' | 'log'> & {
    readonly config: Pick<Runtime['config'], 'encryptMessages' | 'trafficDays'>
  },
  { encrypts }: { readonly encrypts: boolean },
): Promise<void> {
  // This signal is never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  const work = async (): Promise<ConfigError | undefined> => {
    try {
      await encryption.prepare(database)
      const sealing = config.encryptMessages === 'yes'
      await messageCipher.open(
        database,
        encryption,
        { sealing, traffic: config.trafficDays > 0 },
        clock.date(),
      )
    } catch (error) {
      // Not retried: the error lasts until the operator corrects the setting.
      if (error instanceof ConfigError) return error
      throw error
    }
    if (encrypts) await encryptAndLog({ database, encryption, log })
    return undefined
  }
  const fault = await retryTransient(work, { what: 'reading the data keys', log, signal })
  if (fault !== undefined) throw fault
  if (encryption.masterKeyId === undefined)
    log.warn(
      {},
      'secrets in the database (webhook secrets and URLs, route options, proofs of senders) and the keys of HMACs are stored in plaintext; with a dump all numbers can be tried against traffic records and opt-outs. Set POSTERN_MASTER_KEY to encrypt them: docs/operations/secrets.md',
    )
}

/**
 * Encrypts secrets that are stored in plaintext, if there is a master key. Workers repeat it: a process without the key
 * may write plaintext until it is restarted.
 */
export async function encryptAndLog({
  database,
  encryption,
  log,
}: Pick<Runtime, 'database' | 'encryption' | 'log'>): Promise<void> {
  if (encryption.masterKeyId === undefined) return
  const encrypted = await encryptPlaintext(database, encryption)
  if (encrypted > 0)
    log.info(
      { encrypted, masterKey: encryption.masterKeyId },
      'encrypted the secrets that were stored in plaintext. Earlier backups still contain them in plaintext',
    )
}

/**
 * A key is added 62 days before its day, so that every process reads it in time; a destroyed key is dropped
 * soon.
 */
const refreshEveryMs = 60_000

export function startMessageKeys({ log }: Pick<Runtime, 'log'>): Periodic {
  return every(refreshEveryMs, 'reading the keys of messages', log, () => messageCipher.refresh(clock.date()))
}
