/** Defines the commands of the audit log that do more than call one operation. The others are derived. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { wholeNumber } from '../options.ts'
import type { ExportOptions } from './export.ts'
import type { VerifyOptions } from './verify.ts'

const tailDocument = '{"seq":12,"hash":"…"}'

export function defineAudit(program: Command): void {
  const audit = findGroup(program, ['audit'])
  defineCommand(audit, {
    name: 'checkpoint',
    summary: 'Print the number and the hash of the last row, to keep elsewhere.',
    operation: 'verifyAudit',
    examples: ['audit checkpoint --json >> /mnt/elsewhere/tail.json'],
    json: tailDocument,
    call: async (admin) => {
      const { last } = await admin.call('verifyAudit', {})
      return { json: last, lines: [JSON.stringify(last)] }
    },
  })
  defineCommand(audit, {
    name: 'verify',
    summary: 'Check that no row was changed, removed, moved or cut off.',
    details:
      'Follows the hashes from the first row to the last. Rows that were removed at the end are found only with a checkpoint that was kept elsewhere: `postern audit checkpoint` prints one, and a worker logs one every hour. Over the admin API the gateway itself compares them: if the gateway is in doubt, verify on the database.',
    options: [
      new Option(
        '--checkpoint <file>',
        'a file with checkpoints, one JSON document per line; - for standard input',
      ),
    ],
    operation: 'verifyAudit',
    examples: ['audit verify', 'audit verify --checkpoint tail.json'],
    failures: ['the log was tampered with'],
    json: `{"rows":12,"last":${tailDocument},"broken":null}`,
    call: async (admin, options: VerifyOptions) => (await import('./verify.ts')).verifyLog(admin, options),
  })
  defineCommand(audit, {
    name: 'export',
    summary: 'Write rows to a file, one JSON document per line, with everything that their hashes cover.',
    details:
      'The last document is a checkpoint. The log is read 200 rows at a time, and each request is recorded.',
    arguments: [new Argument('<file>', 'the file, which must not exist')],
    options: [
      wholeNumber('--after <n>', 'only rows after this one', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    ],
    operation: 'exportAuditRows',
    examples: ['audit export audit-2026-11.jsonl --reason "monthly review"'],
    failures: [
      'the file exists or cannot be written',
      'the export was interrupted, as by a full disk; the error says which rows the file has, and how to go on',
    ],
    json: `{"rows":12,"last":${tailDocument}}`,
    call: async (admin, file: string, options: ExportOptions) =>
      (await import('./export.ts')).exportRows(admin, file, options),
  })
}
