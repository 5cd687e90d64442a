/** Optional settings of our gateway: encrypted messages and trust rules. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gateway } from './gateway.ts'
import { benchSenders, linkDomain } from './load/request.ts'
import type { BenchOptions } from './options.ts'

/** Returns the environment variables of every gateway process. */
export function gatewayVariables({ encrypted, rules }: BenchOptions): Readonly<Record<string, string>> {
  return {
    ...(encrypted && {
      POSTERN_MASTER_KEY: 'env:BENCH_MASTER_KEY',
      BENCH_MASTER_KEY: randomBytes(32).toString('hex'),
      POSTERN_ENCRYPT_MESSAGES: 'yes',
    }),
    ...(rules && { POSTERN_ORIGIN_CODE: '123456789' }),
  }
}

/**
 * Enables every rule that has a switch and configures the account, so that all rules check each message and none
 * refuses it.
 */
export async function enableRules({ clientId, command }: Gateway): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-senders-'))
  const file = join(folder, 'senders.csv')
  const lines = benchSenders.map(({ kind, value }) => `${clientId},${kind},${value},consent,bench`)
  await writeFile(file, ['clientId,kind,value,proofKind,proof', ...lines, ''].join('\n'))
  await command('sender', 'import', file, '--approve', '--reason', 'bench')
  await rm(folder, { recursive: true })
  for (const name of ['all', 'sms'])
    await command(
      ...['protection', 'cap', clientId, '--class', name],
      ...['--day', '1000000000', '--month', '1000000000', '--reason', 'bench'],
    )
  await command(
    ...['protection', 'set', clientId, '--links', 'listed', '--link-domains', linkDomain],
    // High enough for any number of rounds; the cost of a check does not depend on them.
    ...['--recipient-per-hour', '1000000', '--prefix-per-10-minutes', '1000000', '--reason', 'bench'],
  )
  await command('trust', 'quiet-hours', 'set', '--account', clientId, '--night', 'hold', '--reason', 'bench')
  await command('trust', 'enable', 'all', '--reason', 'bench')
}
