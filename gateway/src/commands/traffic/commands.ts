/** Definition of `postern traffic find`. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'
import type { TrafficOptions } from './request.ts'

export function defineTraffic(program: Command): void {
  const traffic = defineGroup(program, {
    name: 'traffic',
    summary: 'Look up traffic records: who sent to a number or from one, and when.',
    examples: ['traffic find 01012345678 --from 2026-11-01 --reason "request 2026-117"'],
  })
  defineCommand(traffic, {
    name: 'find',
    summary: 'List the traffic records of a recipient, of a sender, or of both, newest first.',
    details:
      'Records hold no content and no number of a recipient, only its HMAC. They are written while POSTERN_TRAFFIC_DAYS is above 0 and kept for that long. It reads all records of the time. The search is recorded; over the admin API, where it takes several requests, each of them.',
    arguments: [new Argument('[number]', 'the recipient, such as 01012345678 or +821012345678')],
    options: [
      new Option('--sender <sender>', 'sent from this number, chatbot or key, as the client named it'),
      new Option('--account <client-id>', 'of this account only'),
      new Option('--from <date>', 'messages from this UTC day or time on, such as 2026-11-01'),
      new Option('--until <date>', 'messages before this UTC day or time'),
      new Option('--limit <n>', 'the newest n').default(1000).argParser(Number),
    ],
    operation: 'searchTraffic',
    examples: [
      'traffic find 01012345678 --reason "request 2026-117"',
      'traffic find --sender 0212345678 --from 2026-11-01 --reason "request 2026-117"',
      'traffic find 01012345678 --account shop-1 --from 2026-11-01 --reason "request 2026-117"',
    ],
    failures: ['there is no such account'],
    json: '{"records":[{"msgKey":"…","clientId":"shop-1","sender":"0212345678","channel":"sms","reportCode":"10000","sentAt":"2026-11-15T02:32:25.000Z"}]}',
    call: async (admin, number: string | undefined, options: TrafficOptions) =>
      (await import('./calls.ts')).findRecords(admin, number, options),
  })
}
