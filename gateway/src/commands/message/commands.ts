/** Definition of `postern message show`, `find` and `cancel`. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'

export function defineMessage(program: Command): void {
  const message = defineGroup(program, {
    name: 'message',
    summary: 'Find messages, inspect one, and cancel one that is scheduled.',
    examples: [
      'message show 2026111502322500000ABCDEFGHIJKLM',
      'message find shop-1 01012345678 --reason "asked by the recipient"',
    ],
  })
  defineCommand(message, {
    name: 'show',
    summary: 'Show the timeline of a message: what happened to it, when and why.',
    details:
      'The text of the message is never shown. The fields of "details" depend on the kind of the event: accepted, held, routed, submitted, receipt, deadline, ended, fallback, parked, open or closed.',
    arguments: [new Argument('<msg-key>', 'the 32 characters that the send request returned')],
    options: [
      new Option(
        '--reveal',
        'print whole phone numbers instead of their last digits; with --reason, and recorded',
      ),
    ],
    operation: 'showMessage',
    examples: ['message show 2026111502322500000ABCDEFGHIJKLM'],
    failures: ['there is no such message'],
    json: '{"msgKey":"…","events":[{"at":"2026-11-15T02:32:25.000Z","kind":"accepted","step":null,"text":"…","details":{}}]}',
    call: async (admin, msgKey: string, options: { reveal?: boolean }) =>
      (await import('./calls.ts')).showMessage(admin, msgKey, options),
  })
  defineCommand(message, {
    name: 'find',
    summary: 'List the stored messages of an account to one number, newest first.',
    details: 'Finds encrypted messages as well. The search is recorded.',
    arguments: [
      new Argument('<client-id>', 'the account'),
      new Argument('<number>', 'the recipient as it was sent to, such as 01012345678'),
    ],
    operation: 'searchRecipient',
    examples: ['message find shop-1 01012345678 --reason "asked by the recipient"'],
    failures: ['there is no such account'],
    json: '{"clientId":"shop-1","messages":[{"msgKey":"…","acceptedAt":"2026-11-15T02:32:25.000Z","open":false}]}',
    call: async (admin, clientId: string, number: string) =>
      (await import('./calls.ts')).findMessages(admin, clientId, number),
  })
  defineCommand(message, {
    name: 'cancel',
    summary: 'Cancel a message that waits for its scheduled time.',
    details: 'Its client gets a report with 90010.',
    arguments: [new Argument('<msg-key>', 'the 32 characters that the send request returned')],
    operation: 'cancelMessage',
    examples: ['message cancel 2026111502322500000ABCDEFGHIJKLM --reason "asked by the client"'],
    failures: ['there is no such message', 'it does not wait for a scheduled time'],
    json: '{"msgKey":"…","cancelled":true}',
    call: async (admin, msgKey: string) => (await import('./calls.ts')).cancelMessage(admin, msgKey),
  })
}
