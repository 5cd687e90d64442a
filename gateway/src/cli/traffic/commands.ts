/** Defines `postern traffic find`. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { findGroup } from '../groups.ts'
import { checked, wholeNumber } from '../options.ts'
import type { TrafficOptions } from './find.ts'

export function defineTraffic(program: Command): void {
  defineCommand(findGroup(program, ['traffic']), {
    name: 'find',
    summary: 'List the traffic records of a recipient, of a sender, or of both, newest first.',
    details:
      'Records contain no content and no number of a recipient, only its HMAC. They are written while POSTERN_TRAFFIC_DAYS is above 0 and kept for that time. The command reads all records of the period, in several requests, each of which is recorded.',
    arguments: [new Argument('[number]', 'recipient, such as 01012345678 or +821012345678')],
    options: [
      new Option('--sender <sender>', 'sender number, chatbot or key, as the client specified it'),
      new Option('--account <client-id>', 'client id of the account (default: all accounts)'),
      checked('--from <time>', 'earliest UTC day or time, such as 2026-11-01', readTime),
      checked('--until <time>', 'UTC day or time before which messages are listed', readTime),
      wholeNumber('--limit <n>', 'maximum number of records, newest first', { min: 1, max: 100_000 }).default(
        1000,
      ),
    ],
    operation: 'searchTraffic',
    examples: [
      'traffic find 01012345678 --reason "request 2026-117"',
      'traffic find --sender 0212345678 --from 2026-11-01 --reason "request 2026-117"',
      'traffic find 01012345678 --account shop-1 --from 2026-11-01 --reason "request 2026-117"',
    ],
    failures: ['the account was not found'],
    json: '{"items":[{"msgKey":"…","account":"shop-1","sender":"0212345678","channel":"sms","reportCode":"10000","sentAt":"2026-11-15T02:32:25.000Z"}]}',
    call: async (admin, number: string | undefined, options: TrafficOptions) =>
      (await import('./find.ts')).findRecords(admin, number, options),
  })
}

function readTime(text: string, option: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new UsageError(`${option} must be a UTC day or time, such as 2026-11-01 or 2026-11-01T09:00:00Z`)
}
