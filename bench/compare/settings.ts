/** What `--encrypted`, `--rules` and `--console` compare: two settings of our gateway, and the share of throughput that the dearer one must keep. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gateway } from '../gateway.ts'
import { benchSenders, linkDomain } from '../load/request.ts'
import type { ComparisonName } from '../options.ts'
import { openConsole, startAdmin, type StartedSide } from './console.ts'

export interface Setting {
  /** Column of the table. */
  readonly title: string
  /** Environment variables of every process. */
  readonly variables: Readonly<Record<string, string>>
  /** Before its processes start. */
  readonly prepare?: (gateway: Gateway) => Promise<void>
  /** After they have started. */
  readonly start?: (started: StartedSide) => Promise<unknown>
}

export interface ComparedSettings {
  /** Target: throughput with the setting, of that without. */
  readonly minRatio: number
  readonly on: Setting
  readonly off: Setting
}

/** On both sides, because the code of the operator travels with every message, whether a rule demands it or not. */
const originCode = { POSTERN_ORIGIN_CODE: '123456789' }

export const comparisons: Readonly<Record<ComparisonName, ComparedSettings>> = {
  encrypted: {
    minRatio: 0.85,
    on: {
      title: 'encrypted',
      variables: {
        POSTERN_MASTER_KEY: 'env:BENCH_MASTER_KEY',
        BENCH_MASTER_KEY: randomBytes(32).toString('hex'),
        POSTERN_ENCRYPT_MESSAGES: 'yes',
      },
    },
    off: { title: 'in clear', variables: {} },
  },
  rules: {
    minRatio: 0.95,
    on: { title: 'rules on', variables: originCode, prepare: enableRules },
    off: { title: 'rules off', variables: originCode },
  },
  console: {
    minRatio: 0.97,
    on: { title: 'console open', variables: {}, start: openConsole },
    off: { title: 'closed', variables: {}, start: startAdmin },
  },
}

/** Every rule that has a switch, and everything that is set for an account: all of it is evaluated for each message, and none refuses. */
async function enableRules(gateway: Gateway): Promise<void> {
  const { clientId, command } = gateway
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
    // High enough for any number of rounds; what a judgement costs does not depend on them.
    ...['--recipient-per-hour', '1000000', '--prefix-per-10-minutes', '1000000', '--reason', 'bench'],
  )
  await command('trust', 'quiet-hours', '--account', clientId, '--night', 'hold', '--reason', 'bench')
  await command('trust', 'enable', 'all', '--reason', 'bench')
}
