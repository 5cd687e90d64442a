/** Defines `postern suppression import`. The other suppression commands are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { choiceStates } from '../../trust/suppression/choice.ts'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { day, oneOf } from '../options.ts'
import type { SuppressionImportOptions } from './import.ts'

export function defineSuppression(program: Command): void {
  defineCommand(findGroup(program, ['suppression']), {
    name: 'import',
    summary: 'Import opt-outs or consents of recipients.',
    details:
      'A file with one number per line. The whole file is checked before anything is stored, then sent 1,000 numbers at a time with progress on the terminal. The import can be repeated: after an interruption run the same command again. With --state agreed the file is a list of consents, which requires --since, the day of the consent, and the right trust. Recipients who opted out after --since stay suppressed and are counted as kept; with --state none only if --since is given.',
    arguments: [new Argument('<file>', 'path of the file, or - for standard input')],
    options: [
      new Option('--account <client-id>', 'client id of the account (default: all accounts)'),
      oneOf('--state <state>', 'decision of the recipients', [...choiceStates]).default('suppressed'),
      day(
        '--since <day>',
        'day of the decision, such as 2026-11-02, at most today (default: now; required with --state agreed)',
      ),
      new Option('--night', 'the recipients have also agreed to advertisements at night'),
    ],
    operation: 'importSuppression',
    examples: [
      'suppression import opt-outs.txt --account shop-1 --reason "list of the old system"',
      'suppression import members.txt --account shop-1 --state agreed --since 2026-11-02 --reason "sign-up form"',
    ],
    failures: ['the suppression list is full', 'a line of the file is not a recipient; nothing was stored'],
    json: '{"numbers":1200,"changed":1187,"kept":2}',
    call: async (admin, file: string, options: SuppressionImportOptions) =>
      (await import('./import.ts')).importNumbers(admin, file, options),
  })
}
