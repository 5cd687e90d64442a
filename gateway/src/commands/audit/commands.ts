/** Definitions of `postern audit …`. */
import { Argument, Option, type Command } from 'commander'
import { auditResults } from '../../audit/entry.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked, readWhole, wholeNumber } from '../options.ts'
import type { ExportOptions } from './export-calls.ts'
import type { ListOptions, VerifyOptions } from './calls.ts'

const rowDocument =
  '{"seq":12,"at":"2026-11-16T01:00:00.000Z","actor":"kim","role":"operator","keyId":null,"source":"gw-1","requestId":"…","action":"account block","result":"done","target":"shop-1","account":"shop-1","reason":"reported for spam","details":{},"databaseUser":"gw_cli","previousHash":"…","hash":"…"}'
const tailDocument = '{"seq":12,"hash":"…"}'

export function defineAudit(program: Command): void {
  const audit = defineGroup(program, {
    name: 'audit',
    summary: 'Read and verify the log of what operators did and which personal data they saw.',
    examples: ['audit list --account shop-1', 'audit verify --checkpoint tail.json'],
  })
  defineCommand(audit, {
    name: 'list',
    summary: 'List what was done, the newest first.',
    options: [
      new Option('--account <client-id>', 'only what concerns this account'),
      new Option('--actor <name>', 'only what this person did'),
      new Option('--action <command>', 'only this command or group, such as "account key"'),
      new Option('--result <result>', 'only acts that ended so; looked: personal data was shown').choices(
        auditResults,
      ),
      checked('--since <time>', 'only since this time: 2026-11-15T09:00:00+09:00', readTime),
      wholeNumber('--before <n>', 'only rows before this one, to read on', {
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
      }),
      wholeNumber('--limit <n>', 'at most this many', { min: 1, max: 10_000 }).default(100),
    ],
    operation: 'listAudit',
    examples: [
      'audit list --account shop-1',
      'audit list --result refused',
      'audit list --action "account key" --since 2026-11-01T00:00:00Z',
    ],
    json: `{"rows":[${rowDocument}]}`,
    call: async (admin, options: ListOptions) => (await import('./calls.ts')).listRows(admin, options),
  })
  defineCommand(audit, {
    name: 'show',
    summary: 'Show one row of the log.',
    arguments: [
      new Argument('<n>', 'the number of the row').argParser((text: string) =>
        readWhole('the number of the row', text, 1, Number.MAX_SAFE_INTEGER),
      ),
    ],
    operation: 'showAudit',
    examples: ['audit show 12'],
    failures: ['there is no such row'],
    json: rowDocument,
    call: async (admin, seq: number) => (await import('./calls.ts')).showRow(admin, seq),
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
    call: async (admin, options: VerifyOptions) => (await import('./calls.ts')).verifyLog(admin, options),
  })
  defineCommand(audit, {
    name: 'checkpoint',
    summary: 'Print the number and the hash of the last row, to keep elsewhere.',
    operation: 'verifyAudit',
    examples: ['audit checkpoint --json >> /mnt/elsewhere/tail.json'],
    json: tailDocument,
    call: async (admin) => (await import('./calls.ts')).printCheckpoint(admin),
  })
  defineCommand(audit, {
    name: 'export',
    summary: 'Write rows to a file, one JSON document per line, with everything that their hashes cover.',
    details:
      'The export itself is recorded. The last document is a checkpoint. Over the admin API it is read 200 rows at a time, each request is recorded, and --reason is required.',
    arguments: [new Argument('<file>', 'the file, which must not exist')],
    options: [
      wholeNumber('--after <n>', 'only rows after this one', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    ],
    operation: 'exportAudit',
    examples: ['audit export audit-2026-11.jsonl --reason "monthly review"'],
    failures: [
      'the file exists or cannot be written',
      'the export was interrupted, as by a full disk; the error says which rows the file has, and how to go on',
    ],
    json: `{"rows":12,"last":${tailDocument}}`,
    call: async (admin, file: string, options: ExportOptions) =>
      (await import('./export-calls.ts')).exportRows(admin, file, options),
  })
}

function readTime(text: string, option: string): Date {
  const time = new Date(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(time.getTime())) return time
  throw new UsageError(`${option} must be a time such as 2026-11-15T09:00:00+09:00, not '${text}'`)
}
