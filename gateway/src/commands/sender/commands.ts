/** Defines `postern sender import`. The other commands of senders are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import type { ImportOptions } from './import.ts'

export function defineSender(program: Command): void {
  defineCommand(findGroup(program, ['sender']), {
    name: 'import',
    summary: 'Register many senders from a file.',
    details:
      'A CSV file of UTF-8 whose first line names its columns: clientId, kind, value, and optionally validUntil, proofKind, proof and issued. The whole file is checked before anything is stored, then sent in parts of up to 500 senders with progress on the terminal. A line that repeats what is registered changes nothing: after an interruption run the same command again.',
    arguments: [new Argument('<file>', 'the file, or - for standard input')],
    options: [
      new Option('--approve', 'make them active at once, each with its proof; without it they are pending'),
    ],
    operation: 'importSenders',
    examples: ['sender import senders.csv --approve --reason "moved from the old system"'],
    failures: [
      'a line of the file is wrong; nothing is stored',
      'a part cannot be stored; the error says how many senders are stored before it',
    ],
    json: '{"lines":1200,"changed":1187,"blocked":2,"rejected":0}',
    call: async (admin, file: string, options: ImportOptions) =>
      (await import('./import.ts')).importFile(admin, file, options),
  })
}
