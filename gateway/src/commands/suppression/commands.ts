/** Defines `postern suppression import`. The other commands of suppression are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { choiceStates } from '../../trust/suppression/choice.ts'
import { defineCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { day, oneOf } from '../options.ts'
import type { ImportOptions } from './import.ts'

export function defineSuppression(program: Command): void {
  defineCommand(findGroup(program, ['suppression']), {
    name: 'import',
    summary: 'Import a list of recipients.',
    details:
      'A file with one number in each line. The whole file is checked before anything is stored, then sent 1,000 numbers at a time with progress on the terminal. It can be imported again: after an interruption run the same command again. With --state agreed it is a list of consents, needs --since, the day of the consent, and the right trust. Recipients who opted out after --since stay suppressed, and are counted as kept; with --state none only where --since is given.',
    arguments: [new Argument('<file>', 'the file, or - for standard input')],
    options: [
      new Option('--account <client-id>', 'for this account; without it for all accounts'),
      oneOf('--state <state>', 'what the recipients have decided', [...choiceStates]).default('suppressed'),
      day(
        '--since <day>',
        'since when, such as 2026-11-02, at most today (default: now; required with --state agreed)',
      ),
      new Option('--night', 'they have agreed to advertisements at night, too'),
    ],
    operation: 'importSuppression',
    examples: [
      'suppression import opt-outs.txt --account shop-1 --reason "list of the old system"',
      'suppression import members.txt --account shop-1 --state agreed --since 2026-11-02 --reason "sign-up form"',
    ],
    failures: [
      'the lists of the account, or of all accounts, are full',
      'a line of the file is not a recipient; nothing is stored',
    ],
    json: '{"numbers":1200,"changed":1187,"kept":2}',
    call: async (admin, file: string, options: ImportOptions) =>
      (await import('./import.ts')).importNumbers(admin, file, options),
  })
}
