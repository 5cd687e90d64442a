/** Definition of `postern usage`. */
import { Argument, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked, day, readList } from '../options.ts'
import type { UsageOptions } from './calls.ts'

// Spelled out: the statements of usage load the database.
const groupings = ['day', 'channel', 'carrier', 'outcome', 'paymentCode']

export function defineUsage(program: Command): void {
  defineCommand(program, {
    name: 'usage',
    summary: 'Show the counts of closed messages of an account.',
    details: 'Days are those of POSTERN_TIME_ZONE of the gateway, and of acceptance.',
    arguments: [new Argument('<client-id>', 'the account, as `postern account list` prints it')],
    options: [
      day('--from <day>', 'the first day (default: 29 days before --to)'),
      day('--to <day>', 'the last day (default: today)'),
      checked(
        '--group-by <names>',
        `comma-separated groupings: ${groupings.join(', ')} (default: day)`,
        readBy,
      ),
    ],
    operation: 'showUsage',
    examples: ['usage shop-1', 'usage shop-1 --from 2026-11-01 --to 2026-11-30 --group-by channel,outcome'],
    failures: ['there is no such account', 'more than 366 days are asked for'],
    json: '{"clientId":"shop-1","usage":[{"day":"2026-11-15","messages":10,"steps":11,"parts":14}]}',
    call: async (admin, id: string, options: UsageOptions) =>
      (await import('./calls.ts')).showUsage(admin, id, options),
  })
}

function readBy(text: string, option: string): string {
  const names = readList(text)
  const wrong = names.find((name) => !groupings.includes(name))
  if (wrong === undefined && names.length > 0) return names.join(',')
  throw new UsageError(`${option} must name some of ${groupings.join(', ')}, not '${text}'`)
}
