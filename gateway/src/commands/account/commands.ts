/** Definitions of `postern account block` and `delete-files`. The other commands of accounts are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { changes } from '../access.ts'
import { readText } from '../act.ts'
import { defineCommand, defineDatabaseCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { checked } from '../options.ts'
import { fileSettings } from '../setting-lists.ts'
import type { BlockOptions } from './block.ts'

const failures = ['there is no such account']
const clientId = (): Argument =>
  new Argument('<client-id>', 'the account, as `postern account list` prints it')

export function defineAccount(program: Command): void {
  const account = findGroup(program, ['account'])
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
    failures,
    json: '{"clientId":"shop-1","backlog":"close","submitted":50,"closed":9950,"held":0,"open":0,"webhooks":1,"reason":"…"}',
    call: async (admin, id: string, options: BlockOptions) =>
      (await import('./block.ts')).blockAccount(admin, id, options),
  })
  defineDatabaseCommand(account, {
    name: 'delete-files',
    summary: 'Delete all uploaded files of an account.',
    details: 'Messages that were accepted and not submitted yet lose their images.',
    arguments: [clientId()],
    access: changes('erase', 'required'),
    examples: ['account delete-files shop-1 --reason "the customer has left"'],
    settings: fileSettings,
    failures,
    json: '{"clientId":"shop-1","deleted":3}',
    databaseOnly: 'it deletes where the files are stored, which the admin API does not reach',
    run: async (invocation, id: string) =>
      (await import('./delete-files.ts')).deleteAccountFiles(invocation, id),
  })
}
