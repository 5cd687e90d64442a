/**
 * `postern secrets status`: shows the keys, and for each column how many secrets are encrypted, under older keys, or
 * in plaintext. It needs a master key only to identify it.
 */
import { listKeys, notWrapped } from '../../platform/encryption/data-keys.ts'
import { readMasterKeys } from '../../platform/encryption/master-key.ts'
import { readColumnStates } from '../../operations/secrets/reencrypt.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'

export function showSecrets(invocation: Invocation<SecretSetting>): Promise<Result> {
  return withDatabase(invocation, async (database, config) => {
    const { current, readable } = readMasterKeys(config)
    const previous = readable.find((key) => key !== current)
    const dataKeys = await listKeys(database)
    const columns = await readColumnStates(database)
    const sum = (of: 'inClear' | 'outdated'): number =>
      columns.reduce((total, column) => total + column[of], 0)
    const missing = dataKeys.filter(
      ({ masterKey }) => masterKey !== notWrapped && !readable.some(({ id }) => id === masterKey),
    )
    const warnings = [
      ...(current === undefined && dataKeys.length === 0
        ? ['secrets are stored in plaintext: set POSTERN_MASTER_KEY for every process and restart them']
        : []),
      ...(current !== undefined && sum('inClear') > 0
        ? [`${sum('inClear')} values are in plaintext: the next start of a process encrypts them`]
        : []),
      ...(sum('outdated') > 0 || dataKeys.some(({ masterKey }) => masterKey !== (current?.id ?? notWrapped))
        ? ['some secrets are not encrypted under the current master key: run `postern secrets rekey`']
        : []),
      ...missing.map(
        ({ id, masterKey }) =>
          `data key ${id} is wrapped by master key ${masterKey}, which is not in the settings of this command: processes with the same settings do not start`,
      ),
    ]
    return {
      json: {
        masterKey: current?.id ?? null,
        previousMasterKey: previous?.id ?? null,
        dataKeys: dataKeys.map(({ id, purpose, masterKey, createdAt }) => ({
          id,
          purpose,
          masterKey,
          createdAt,
        })),
        columns,
        warnings,
      },
      lines: [
        `master key           ${current?.id ?? 'none'}`,
        ...(previous === undefined ? [] : [`previous master key  ${previous.id}`]),
        ...dataKeys.map(
          ({ id, masterKey, createdAt }) =>
            `data key ${id}, wrapped by ${masterKey}, created at ${createdAt.toISOString()}`,
        ),
        '',
        ...table([
          ['column', 'encrypted', 'under older keys', 'plaintext'],
          ...columns.map(({ column, encrypted, outdated, inClear }) => [
            ...[column, String(encrypted), String(outdated), String(inClear)],
          ]),
        ]),
        ...warnings.map((warning) => `warning: ${warning}`),
      ],
    }
  })
}
