/** Definitions of `postern account block`, `unblock` and `stops`. */
import { Option, type Argument, type Command } from 'commander'
import { readText } from '../act.ts'
import { defineCommand } from '../define.ts'
import { checked } from '../options.ts'
import type { BlockOptions } from './calls.ts'

const unknownAccount = 'there is no such account'

export function defineBlock(account: Command, clientId: () => Argument): void {
  defineCommand(account, {
    name: 'block',
    summary: 'Refuse every request of an account and stop everything it has sent.',
    details:
      'Within two seconds nothing more of it is submitted: neither its backlog nor its scheduled messages nor the next steps of its flows. What waits ends with the report 90011, or waits with --hold. What carriers have already is reported as usual. Its webhooks pause. The command shows the progress and prints what became of the messages; it may be stopped, and workers go on.',
    arguments: [clientId()],
    operation: 'blockAccount',
    options: [
      new Option(
        '--hold',
        'keep what waits until the account is unblocked; the deadlines of the messages hold',
      ),
      checked('--notice <text>', 'how and when the customer was told, for the history', readText),
      new Option('--no-wait', 'do not wait until the backlog is empty'),
    ],
    examples: [
      'account block shop-1 --reason "reported as spam, case 118"',
      'account block shop-1 --hold --reason "leaked key" --notice "called on 2026-11-16, 09:20"',
    ],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","blocked":true,"backlog":"close","closed":9950,"held":0,"submitted":50,"open":0,"webhooks":1}',
    call: async (admin, id: string, options: BlockOptions) =>
      (await import('./calls.ts')).blockAccount(admin, id, options),
  })
  defineCommand(account, {
    name: 'unblock',
    summary: 'Serve a blocked account again.',
    details:
      'Messages that were held are sent, each at its time or at once; messages that were closed stay closed. Its webhooks continue with the first report that they have not pushed.',
    arguments: [clientId()],
    operation: 'unblockAccount',
    examples: ['account unblock shop-1 --reason "case 118 is closed"'],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","blocked":false,"resumed":0}',
    call: async (admin, id: string) => (await import('./calls.ts')).unblockAccount(admin, id),
  })
  defineCommand(account, {
    name: 'stops',
    summary: 'List when and why an account was blocked, and what became of its messages.',
    arguments: [clientId()],
    operation: 'showAccount',
    examples: ['account stops shop-1'],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","stops":[{"at":"2026-11-16T00:20:00.000Z","by":"kim@ops","reason":"case 118","notice":null,"backlog":"close","webhooks":1,"submitted":50,"closed":9950,"held":0,"endedAt":null,"endedBy":null,"endedReason":null}]}',
    call: async (admin, id: string) => (await import('./calls.ts')).listStops(admin, id),
  })
}
