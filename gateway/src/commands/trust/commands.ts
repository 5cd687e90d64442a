/** Definitions of `postern trust …`. */
import { Argument, Option, type Command } from 'commander'
import type { AdvertisingChange, TrustChange } from '../../acts/account-trust.ts'
import { readTime } from '../../acts/read-time.ts'
import { channelNames } from '../../channels/channel-names.ts'
import { accountKinds } from '../../trust/account-kinds.ts'
import { everyChannel, nightChoices } from '../../trust/quiet-hours/choices.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { checked, oneOf, onOrOff, readList } from '../options.ts'
import type { QuietHoursOptions } from './quiet-hours.ts'

export function defineTrust(program: Command): void {
  const trust = defineGroup(program, {
    name: 'trust',
    summary: 'Manage the rules that say who may send what.',
    examples: [
      'trust list',
      'trust enable sender-number-registered --reason "all senders are imported"',
      'trust account reseller-1 --kind reseller --origin-codes 123456789 --reason "contract of 2026-11"',
    ],
  })
  defineCommand(trust, {
    name: 'list',
    summary: 'List the rules, and which of them are on.',
    details: 'docs/trust.md says where each rule is enforced and where it comes from.',
    operation: 'listRules',
    examples: ['trust list'],
    json: '{"rules":[{"rule":"sender-number-registered","enabled":true,"changedAt":"2026-11-16T01:00:00.000Z","changedBy":"kim","reason":"all senders are imported"}]}',
    call: async (admin) => (await import('./calls.ts')).listRules(admin),
  })
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    defineCommand(trust, {
      name,
      summary: enabled ? 'Turn rules on.' : 'Turn rules off.',
      details: enabled
        ? 'Running processes follow within two seconds: sends that break the rule are refused, and accepted messages that break it fail before they are submitted.'
        : 'Running processes follow within two seconds.',
      arguments: [new Argument('<rules...>', 'rules, as `postern trust list` prints them, or "all"')],
      operation: `${name}Rule`,
      examples: enabled
        ? [
            'trust enable sender-number-registered sender-number-shape --reason "all senders are imported"',
            'trust enable all --reason "before the first customer"',
          ]
        : ['trust disable sender-number-shape --reason "numbers of the old system"'],
      json: `{"rules":["sender-number-registered"],"enabled":${enabled}}`,
      call: async (admin, rules: string[]) => (await import('./calls.ts')).switchRules(admin, rules, enabled),
    })
  }
  defineCommand(trust, {
    name: 'account',
    summary: 'Show or change what trust knows of an account.',
    details:
      'Without options it prints what is set; a change needs --reason and the right trust. A sandbox account sends over sandbox routes only and needs no registered sender.',
    arguments: [new Argument('<client-id>', 'the account, as `postern account list` prints it')],
    options: [
      oneOf('--kind <kind>', 'a reseller sends for others, under its own origin code', [...accountKinds]),
      checked(
        '--origin-codes <codes>',
        'comma-separated codes that its messages may carry as originCID, of nine digits or as POSTERN_ORIGIN_PATTERN says, the first one where the client gives none; "none" removes them',
        (text) => (text === 'none' ? [] : readList(text)),
      ),
      ...onOrOff('sandbox', 'a sandbox account', 'not a sandbox account (the default)'),
    ],
    operation: 'setAccountTrust',
    reason: 'optional',
    examples: [
      'trust account shop-1',
      'trust account reseller-1 --kind reseller --origin-codes 123456789 --reason "contract of 2026-11"',
    ],
    failures: ['there is no such account'],
    json: '{"clientId":"reseller-1","kind":"reseller","sandbox":false,"originCodes":["123456789"]}',
    call: async (admin, id: string, options: TrustChange) =>
      (await import('./account.ts')).setAccountTrust(admin, id, options),
  })
  defineCommand(trust, {
    name: 'advertising',
    summary: 'Show or change what advertisements of an account must have.',
    details:
      'Without options it prints what is set; a change needs --reason and the right trust. The rules advertisement-sender-name and advertisement-opt-out-registered use the names and numbers.',
    arguments: [new Argument('<client-id>', 'the account, as `postern account list` prints it')],
    options: [
      checked(
        '--names <names>',
        'comma-separated names of which one follows the mark (광고); "none" removes them',
        (text) => (text === 'none' ? [] : readList(text)),
      ),
      checked(
        '--opt-out-numbers <numbers>',
        'comma-separated 080 numbers by which recipients opt out; "none" removes them',
        (text) => (text === 'none' ? [] : readList(text)),
      ),
      ...onOrOff(
        'advertiser',
        'every text of the account is an advertisement, marked or not',
        'only marked texts are advertisements (the default)',
      ),
    ],
    operation: 'setAccountAdvertising',
    reason: 'optional',
    examples: [
      'trust advertising shop-1 --names "Shop,Shop Outlet" --opt-out-numbers 080-123-4567 --reason "application of 2026-11-02"',
    ],
    failures: ['there is no such account'],
    json: '{"clientId":"shop-1","advertiser":false,"names":["Shop"],"optOutNumbers":["0801234567"]}',
    call: async (admin, id: string, options: AdvertisingChange) =>
      (await import('./advertising.ts')).setAdvertising(admin, id, options),
  })
  defineCommand(trust, {
    name: 'quiet-hours',
    summary: 'Show or change when advertisements are sent, and what becomes of those of the night.',
    details:
      'Without options it prints what is set; a change needs --reason and the right trust. What is set for an account goes before what is set for all accounts, and a channel before all channels. Times are those of Korea. Running processes follow within two seconds.',
    options: [
      new Option('--account <client-id>', 'for this account; without it for all accounts'),
      oneOf('--channel <channel>', 'for this channel; without it for all channels', [
        ...channelNames,
        everyChannel,
      ]),
      checked('--opens <time>', 'when advertisements may be sent, from 08:00 on', readTime),
      checked('--closes <time>', 'when no more are sent, up to 21:00', readTime),
      oneOf('--night <choice>', 'what becomes of an advertisement at night', [...nightChoices]),
      new Option('--remove', 'remove what is set for this account and channel'),
    ],
    operation: 'setQuietHours',
    reason: 'optional',
    examples: [
      'trust quiet-hours',
      'trust quiet-hours --account shop-1 --night hold --reason "asked by the customer"',
      'trust quiet-hours --channel friendtalk --closes 20:00 --reason "rule of the channel"',
    ],
    failures: ['there is no such account'],
    json: '{"quietHours":[{"account":null,"channel":"*","opens":"08:00","closes":"20:50","night":"hold"}]}',
    call: async (admin, options: QuietHoursOptions) =>
      (await import('./quiet-hours.ts')).changeQuietHours(admin, options),
  })
}
