/** Defines `postern sender import`. The other sender commands are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import type { SenderImportOptions } from './import.ts'

export function defineSender(program: Command): void {
  defineCommand(findGroup(program, ['sender']), {
    name: 'import',
    summary: 'Register many senders from a file.',
    details:
      'A UTF-8 CSV file whose first line names its columns: clientId, kind, value, and optionally validUntil, proofKind, proof and issued. The whole file is checked before anything is stored, then sent in parts of up to 500 senders with progress on the terminal. Lines that were stored change nothing when they are sent again: after an interruption run the same command again.',
    arguments: [new Argument('<file>', 'path of the file, or - for standard input')],
    options: [
      new Option('--approve', 'activate the senders immediately, each with its proof (default: pending)'),
    ],
    operation: 'importSenders',
    examples: ['sender import senders.csv --approve --reason "moved from the old system"'],
    failures: [
      'a line of the file is invalid; nothing was stored',
      'a part cannot be stored; the error states how many senders were stored',
    ],
    json: '{"lines":1200,"changed":1187,"blocked":2,"rejected":0}',
    call: async (admin, file: string, options: SenderImportOptions) =>
      (await import('./import.ts')).importFile(admin, file, options),
  })
}
