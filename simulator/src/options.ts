/**
 * The command line of the SMSC as one table, which parses, checks and prints the help. Pure. Errors are thrown as
 * UsageError with a text for the user.
 */
import { parseArgs } from 'node:util'
import type { SmscOptions } from './smsc/settings.ts'
import { defaults } from './smsc/settings.ts'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type OptionName = keyof SmscOptions

interface OptionRow {
  readonly flag: string
  readonly name: OptionName
  readonly type: 'text' | 'number' | 'switch'
  readonly help: string
  readonly min?: number
  readonly max?: number
}

const MAX_PORT = 65_535

const table: readonly OptionRow[] = [
  { flag: 'host', name: 'host', type: 'text', help: 'interface of the SMPP listener' },
  { flag: 'port', name: 'port', type: 'number', max: MAX_PORT, help: 'SMPP port; 0 for any free one' },
  {
    flag: 'control-port',
    name: 'controlPort',
    type: 'number',
    max: MAX_PORT,
    help: 'HTTP control, loopback only',
  },
  {
    flag: 'system-id',
    name: 'systemId',
    type: 'text',
    help: 'the system_id clients must bind with (default: any)',
  },
  {
    flag: 'password',
    name: 'password',
    type: 'text',
    help: 'the password clients must bind with (default: any)',
  },
  {
    flag: 'receipt-delay-ms',
    name: 'receiptDelayMs',
    type: 'number',
    help: 'from accepting a message to its receipt',
  },
  { flag: 'late-ms', name: 'lateMs', type: 'number', help: 'the same for recipients ending 0015' },
  { flag: 'slow-ms', name: 'slowMs', type: 'number', help: 'the submit response for recipients ending 0011' },
  { flag: 'early-ms', name: 'earlyMs', type: 'number', help: 'longest wait for the early receipt of 0005' },
  { flag: 'rate', name: 'rate', type: 'number', help: 'parts a second, throttled beyond; 0 for no limit' },
  {
    flag: 'window',
    name: 'window',
    type: 'number',
    min: 1,
    help: 'unanswered receipts a session may have',
  },
  {
    flag: 'receipt-timeout-ms',
    name: 'receiptTimeoutMs',
    type: 'number',
    min: 1,
    help: 'then it is sent again',
  },
  {
    flag: 'receipt-retry-ms',
    name: 'receiptRetryMs',
    type: 'number',
    help: 'wait after a receipt got an error',
  },
  { flag: 'max-pending', name: 'maxPending', type: 'number', min: 1, help: 'receipts owed, then RMSGQFUL' },
  { flag: 'seed', name: 'seed', type: 'number', help: 'the same ids at every run (default: from the clock)' },
  { flag: 'id-start', name: 'idStart', type: 'number', help: 'ids to skip first, for a seeded restart' },
  {
    flag: 'record',
    name: 'record',
    type: 'switch',
    help: 'keep submissions for /submissions and /duplicates',
  },
  { flag: 'record-limit', name: 'recordLimit', type: 'number', min: 1, help: 'submissions kept at most' },
]

/** The command uses the standard SMPP port; a test uses any free port. */
export const commandDefaults: SmscOptions = { ...defaults, port: 2775, controlPort: 2776 }

export function helpText(): string {
  const lines = table.map(({ flag, name, type, help }) => {
    const preset = commandDefaults[name]
    const shown = type === 'switch' || preset === undefined ? '' : ` (default ${preset})`
    return `  --${`${flag}${type === 'switch' ? '' : type === 'number' ? ' <n>' : ' <text>'}`.padEnd(26)}${help}${shown}`
  })
  return [
    'Usage: node simulator/src/main.ts smsc [options]',
    '',
    'A simulated SMSC speaking SMPP 3.4. What happens to a message is chosen by the last four digits of its',
    'recipient: see simulator/README.md.',
    '',
    ...lines,
    '',
  ].join('\n')
}

function numberOf(row: OptionRow, value: string): number {
  const number = Number(value)
  const min = row.min ?? 0
  const max = row.max ?? Number.MAX_SAFE_INTEGER
  if (!/^\d+$/.test(value) || number < min || number > max) {
    const range = row.max === undefined ? `${min} or more` : `${min} to ${max}`
    throw new UsageError(`--${row.flag} must be a whole number, ${range}, not '${value}'`)
  }
  return number
}

/** The options given, or 'help'. */
export function parseOptions(args: readonly string[]): Partial<SmscOptions> | 'help' {
  const flags = Object.fromEntries(
    table.map(({ flag, type }) => [flag, { type: type === 'switch' ? 'boolean' : 'string' } as const]),
  )
  let values: Record<string, string | boolean | undefined>
  try {
    ;({ values } = parseArgs({
      args: [...args],
      options: { ...flags, help: { type: 'boolean', short: 'h' } },
    }))
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (values['help'] === true) return 'help'
  const given = table.flatMap((row): [OptionName, string | number | boolean][] => {
    const value = values[row.flag]
    if (value === undefined) return []
    return [[row.name, row.type === 'number' ? numberOf(row, String(value)) : value]]
  })
  return Object.fromEntries(given)
}
