/**
 * Before a role starts: checks that this process can read the secrets in the database. A worker with a master key encrypts
 * those that are still in clear; the database user of the API may not. A wrong or missing key stops the start with what to do.
 */
import { clock } from '../platform/clock.ts'
import { ConfigError } from '../platform/config.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { retryTransient } from '../platform/retry.ts'
import { encryptClear } from '../secrets/reencrypt.ts'
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
  // Never aborted: a stop during the start ends the process.
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
      // Not repeated: it lasts until the operator corrects the setting.
      if (error instanceof ConfigError) return error
      throw error
    }
    if (encrypts) await encryptAndLog({ database, encryption, log })
    return undefined
  }
  const wrong = await retryTransient(work, { what: 'reading the data keys', log, signal })
  if (wrong !== undefined) throw wrong
  if (encryption.masterKeyId === undefined)
    log.warn(
      {},
      'secrets in the database (secrets and URLs of webhooks, options of routes, proofs of senders) are stored in clear, and so are the keys of HMACs: whoever has a dump can try all numbers against traffic records and opt-outs. Set POSTERN_MASTER_KEY to encrypt them: docs/operations/secrets.md',
    )
}

/** Also repeated by workers: a process without the key may write in clear until it is restarted. */
export async function encryptAndLog({
  database,
  encryption,
  log,
}: Pick<Runtime, 'database' | 'encryption' | 'log'>): Promise<void> {
  if (encryption.masterKeyId === undefined) return
  const encrypted = await encryptClear(database, encryption)
  if (encrypted > 0)
    log.info(
      { encrypted, masterKey: encryption.masterKeyId },
      'secrets that were stored in clear are encrypted now. Backups made before still hold them in clear',
    )
}

/** A key is added 62 days before its day, so that a process learns of it in time; one that is destroyed is forgotten soon. */
const refreshEveryMs = 60_000

export function startMessageKeys({ log }: Pick<Runtime, 'log'>): Periodic {
  return every(refreshEveryMs, 'reading the keys of messages', log, () => messageCipher.refresh(clock.date()))
}
