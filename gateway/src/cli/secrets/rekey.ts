/**
 * `postern secrets rekey`: re-encrypts all secrets under the current master key. It can be stopped and run
 * again at any time.
 */
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { DamagedCiphertext } from '../../platform/encryption/ciphertext.ts'
import { OldKeyInUse, rekey } from '../../operations/secrets/reencrypt.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'

const toTerminal = (text: string): void => void process.stderr.write(`${text}\n`)

export function rekeySecrets(
  invocation: Invocation<SecretSetting>,
  progress: (text: string) => void = toTerminal,
): Promise<Result> {
  return withDatabase(invocation, async (database, config, audit) => {
    const encryption = openEncryption(config)
    const masterKey = encryption.masterKeyId
    if (masterKey === undefined)
      throw new UsageError('POSTERN_MASTER_KEY is required: set it to a reference to the new master key')
    const work = () =>
      rekey(database, encryption, (column, count) => progress(`${column}: ${count} re-encrypted`))
    const subject = { target: `master key ${masterKey}` }
    const done = await audit
      .around(subject, work, (result) => ({ ...result }))
      .catch((error: unknown) => {
        const isExpected = error instanceof DamagedCiphertext || error instanceof OldKeyInUse
        throw isExpected ? new FailedError(error.message) : error
      })
    return {
      json: { masterKey, ...done },
      lines: [
        done.reencrypted === 0 && !done.added
          ? `all secrets are encrypted under master key ${masterKey}; nothing was changed`
          : `re-encrypted ${done.reencrypted} secrets under master key ${masterKey}; deleted old data keys`,
        ...(config.previousMasterKey === undefined
          ? []
          : ['remove POSTERN_PREVIOUS_MASTER_KEY from every process now']),
      ],
    }
  })
}
