/** Definitions of `postern protection …`. */
import { Argument, Option, type Command } from 'commander'
import { linkChoices, periods, reactions } from '../../trust/abuse/protection-choices.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { checked, oneOf, readList, readWhole } from '../options.ts'
import type { CapOptions, ProtectionOptions, ShowOptions } from './protection.ts'

const unknownAccount = 'there is no such account'
const clientId = (): Argument =>
  new Argument('<client-id>', 'the account, as `postern account list` prints it')
const document =
  '{"clientId":"shop-1","countries":["DE"],"onSuspicion":"refuse","recipientPerHour":null,"prefixPer10Minutes":null,"links":"any","linkDomains":[],"safeNumbers":[],"caps":[{"period":"day","class":"international","max":1000,"used":12}]}'

/** `default`: that of the rule. */
const limit = (flags: string, description: string): Option =>
  checked(flags, `${description}, or "default"`, (text, option) =>
    text === 'default' ? text : readWhole(option, text, 1, 1_000_000),
  )
const list = (flags: string, description: string): Option =>
  checked(flags, `${description}; "none" removes them`, (text) => (text === 'none' ? [] : readList(text)))

export function defineProtection(program: Command): void {
  const protection = defineGroup(program, {
    name: 'protection',
    summary: 'Manage what protects accounts against abuse: countries, caps, velocity, links.',
    examples: [
      'protection set shop-1 --countries DE,JP --reason "new branch offices"',
      'protection cap shop-1 --day 1000 --class international --reason contract',
    ],
  })
  defineCommand(protection, {
    name: 'show',
    summary: 'Show what is set for an account, and what is used of its caps.',
    arguments: [clientId()],
    options: [new Option('--reveal', 'print whole numbers that are exempt; with --reason, and recorded')],
    operation: 'showProtection',
    examples: ['protection show shop-1'],
    failures: [unknownAccount],
    json: document,
    call: async (admin, id: string, options: ShowOptions) =>
      (await import('./protection.ts')).showProtection(admin, id, options),
  })
  defineCommand(protection, {
    name: 'set',
    summary: 'Change what is set for an account.',
    details:
      'Options that are left out keep their value. Running processes follow within two seconds. The rules that use it are listed by `postern trust list`; velocity is off until it is turned on there.',
    arguments: [clientId()],
    operation: 'setProtection',
    options: [
      list(
        '--countries <codes>',
        'comma-separated ISO codes of the countries that it may send international messages to, or "all"',
      ),
      oneOf('--on-suspicion <reaction>', 'what becomes of a suspicious message', [...reactions]),
      limit('--recipient-per-hour <n>', 'messages to one number in an hour'),
      limit(
        '--prefix-per-10-minutes <n>',
        'messages in ten minutes to numbers that differ in the last three digits',
      ),
      oneOf('--links <choice>', 'which links its texts may have', [...linkChoices]),
      list('--link-domains <domains>', 'comma-separated domains whose links pass, with all under them'),
      list(
        '--safe-numbers <prefixes>',
        'comma-separated numbers and prefixes that velocity does not concern',
      ),
    ],
    examples: [
      'protection set shop-1 --countries DE,JP --on-suspicion hold --reason "new branch offices"',
      'protection set shop-1 --links listed --link-domains shop.kr --reason "asked by the customer"',
    ],
    failures: [unknownAccount],
    json: document,
    call: async (admin, id: string, options: ProtectionOptions) =>
      (await import('./protection.ts')).setProtection(admin, id, options),
  })
  defineCommand(protection, {
    name: 'cap',
    summary: 'Set or remove a cap of an account.',
    details:
      'A message counts once for "all" and once for every channel of its flow; international messages count by the part. Days and months are those of POSTERN_TIME_ZONE. Running processes follow within two seconds.',
    arguments: [clientId()],
    operation: 'setAccountCap',
    options: [
      ...periods.map((period) =>
        checked(`--${period} <n>`, `at most so many a ${period}, or "none"`, (text, option) =>
          text === 'none' ? text : readWhole(option, text, 0, 1_000_000_000),
        ),
      ),
      new Option('--class <class>', '"all", a channel, or the ISO code of a country').default('all'),
    ],
    examples: [
      'protection cap shop-1 --day 100000 --month 1000000 --reason contract',
      'protection cap shop-1 --day 500 --class US --reason contract',
      'protection cap shop-1 --day none --class US --reason "prepaid"',
    ],
    failures: [unknownAccount],
    json: document,
    call: async (admin, id: string, options: CapOptions) =>
      (await import('./protection.ts')).setCaps(admin, id, options),
  })
}
