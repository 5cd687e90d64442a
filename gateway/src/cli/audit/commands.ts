/** Defines the audit commands that do more than print the response of an operation. The others are derived. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { wholeNumber } from '../options.ts'
import type { ExportOptions } from './export.ts'
import type { VerifyLogOptions } from './verify.ts'

const tailDocument = '{"seq":12,"hash":"…"}'

export function defineAudit(program: Command): void {
  const audit = findGroup(program, ['audit'])
  defineCommand(audit, {
    name: 'checkpoint',
    summary: 'Print the number and hash of the last row, to store elsewhere.',
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
    summary: 'Verify that no row was changed, removed or moved.',
    details:
      'Follows the hashes from the first row to the last. Rows removed at the end are found only with a checkpoint that was stored elsewhere: `postern audit checkpoint` prints one, and a worker logs one every hour. Over the admin API the gateway verifies the rows: if you distrust the gateway, verify on the database.',
    options: [
      new Option(
        '--checkpoint <file>',
        'file with checkpoints, one JSON document per line; - for standard input',
      ),
    ],
    operation: 'verifyAudit',
    examples: ['audit verify', 'audit verify --checkpoint tail.json'],
    failures: ['the log was tampered with'],
    json: `{"rows":12,"last":${tailDocument},"broken":null}`,
    call: async (admin, options: VerifyLogOptions) => (await import('./verify.ts')).verifyLog(admin, options),
  })
  defineCommand(audit, {
    name: 'export',
    summary: 'Export rows to a file, one JSON document per line, with all fields that their hashes cover.',
    details:
      'The last document is a checkpoint. The log is read 200 rows at a time, and each request is recorded.',
    arguments: [new Argument('<file>', 'path of a new file')],
    options: [
      wholeNumber('--after <n>', 'export only rows after this one', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    ],
    operation: 'exportAuditRows',
    examples: ['audit export audit-2026-11.jsonl --reason "monthly review"'],
    failures: [
      'the file exists or cannot be written',
      'the export was interrupted, for example by a full disk; the error names the exported rows and the next step',
    ],
    json: `{"rows":12,"last":${tailDocument}}`,
    call: async (admin, file: string, options: ExportOptions) =>
      (await import('./export.ts')).exportRows(admin, file, options),
  })
}
