/** Definitions of `postern suppression …`. */
import { Argument, Option, type Command } from 'commander'
import { choiceStates } from '../../trust/suppression/choice.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { day, oneOf } from '../options.ts'
import type { ImportChoicesOptions } from './calls.ts'
import type { SuppressionOptions } from './calls.ts'

const numbers = (): Argument[] => [new Argument('<numbers...>', 'recipients, as sends name them')]
const account = (): Option =>
  new Option('--account <client-id>', 'for this account; without it for all accounts')
const failures = ['there is no such account', 'the lists of the account, or of all accounts, are full']

export function defineSuppression(program: Command): void {
  const suppression = defineGroup(program, {
    name: 'suppression',
    summary: 'Manage recipients who want no advertisements, and those who have agreed.',
    examples: [
      'suppression add 01012345678 --account shop-1 --reason "called us"',
      'suppression show 01012345678 --account shop-1 --reason "question of the recipient"',
    ],
  })
  for (const [name, summary] of [
    ['add', 'Send no advertisements to these recipients.'],
    ['remove', 'Forget what is known of these recipients.'],
  ] as const)
    defineCommand(suppression, {
      name,
      summary,
      details:
        'Running processes follow within two seconds. The numbers are stored as hashes only. What an operator has entered, the account cannot take back.',
      arguments: numbers(),
      options: [account()],
      operation: `${name}Suppression`,
      examples: [`suppression ${name} 01012345678 --account shop-1 --reason "called us"`],
      failures,
      json: '{"numbers":1,"changed":1}',
      call: async (admin, given: string[], options: SuppressionOptions) =>
        (await import('./calls.ts')).changeNumbers(admin, name, given, options),
    })
  defineCommand(suppression, {
    name: 'show',
    summary: 'Show what is known of a recipient, and what was before.',
    details:
      'Former choices are kept for a year. The index that is printed names the recipient in the audit log (`postern audit list`).',
    arguments: [new Argument('<number>', 'a recipient, as sends name it')],
    options: [account()],
    operation: 'showSuppression',
    examples: ['suppression show 01012345678 --account shop-1 --reason "question of the recipient"'],
    failures: failures.slice(0, 1),
    json: '{"state":"suppressed","night":false,"since":"2026-11-16T01:00:00.000Z","source":"api","reason":"","index":"…","history":[]}',
    call: async (admin, number: string, options: SuppressionOptions) =>
      (await import('./calls.ts')).showNumber(admin, number, options),
  })
  defineCommand(suppression, {
    name: 'import',
    summary: 'Import a list of recipients.',
    details:
      'A file with one number in each line. The whole file is checked before anything is stored, and it can be imported again. Over the admin API it is sent 1,000 numbers at a time, with progress on the terminal; after an interruption run the same command again. With --state agreed it is a list of consents, needs --since, the day of the consent, and the right trust. Recipients who opted out after --since stay suppressed, and are counted as kept; with --state none only where --since is given.',
    arguments: [new Argument('<file>', 'the file, or - for standard input')],
    options: [
      account(),
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
    failures: [...failures, 'a line of the file is not a recipient; nothing is stored'],
    json: '{"numbers":1200,"changed":1187,"kept":2}',
    call: async (admin, file: string, options: ImportChoicesOptions) =>
      (await import('./calls.ts')).importNumbers(admin, file, options),
  })
}
