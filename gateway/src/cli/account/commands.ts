/**
 * Defines `postern account block` and `delete-files`. The other account commands are derived from their
 * operations.
 */
import { Argument, Option, type Command } from 'commander'
import { writeCommandAccess } from '../access.ts'
import { readText } from '../shell-context.ts'
import { defineCommand, defineDatabaseCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { checked } from '../options.ts'
import { fileSettings } from '../setting-lists.ts'
import type { BlockOptions } from './block.ts'

const failures = ['the account was not found']
const clientId = (): Argument => new Argument('<client-id>', 'client id from `postern account list`')

export function defineAccount(program: Command): void {
  const account = findGroup(program, ['account'])
  defineCommand(account, {
    name: 'block',
    summary: 'Block an account: refuse its requests and stop its messages.',
    details:
      'Within two seconds no message of the account is submitted any longer, including its backlog, scheduled messages and later steps of flows. Waiting messages end with report code 90011, or are held with --hold. Submitted messages are reported as usual. Webhooks of the account pause. The command shows the progress until nothing is open, for at most two minutes, and prints the last counts; if you stop it, workers continue.',
    arguments: [clientId()],
    operation: 'blockAccount',
    options: [
      new Option(
        '--hold',
        'hold waiting messages until the account is unblocked; their deadlines still apply',
      ),
      checked('--notice <text>', 'how and when the customer was notified, for the history', readText),
      new Option('--no-wait', 'return without waiting until no message is open'),
    ],
    examples: [
      'account block shop-1 --reason "reported as spam, case 118"',
      'account block shop-1 --hold --reason "leaked key" --notice "called on 2026-11-16, 09:20"',
    ],
    failures,
    json: '{"clientId":"shop-1","backlog":"close","submitted":50,"closed":9950,"held":0,"open":0,"webhooks":1,"reason":"…"}',
    call: async (admin, id: string, options: BlockOptions) =>
      (await import('./block.ts')).blockAccount(admin, id, options),
  })
  defineDatabaseCommand(account, {
    name: 'delete-files',
    summary: 'Delete all uploaded files of an account.',
    details: 'Accepted messages that are not submitted yet lose their images.',
    arguments: [clientId()],
    access: writeCommandAccess('erase', 'required'),
    examples: ['account delete-files shop-1 --reason "the customer has left"'],
    settings: fileSettings,
    failures,
    json: '{"clientId":"shop-1","deleted":3}',
    databaseOnly: 'it needs access to the file store, which the admin API does not have',
    run: async (invocation, id: string) =>
      (await import('./delete-files.ts')).deleteAccountFiles(invocation, id),
  })
}
