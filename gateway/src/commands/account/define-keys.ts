/** Definitions of `postern account key …` and `postern account password`. */
import { Argument, Option, type Command } from 'commander'
import { readNetwork } from '../../accounts/address-list.ts'
import { scopes } from '../../accounts/credential.ts'
import { defaultOverlapHours, maxOverlapHours } from '../../accounts/credential-actions.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked, readList, wholeNumber } from '../options.ts'
import type { AddKeyOptions, RevokeOptions } from './change-calls.ts'
import type { PasswordOptions, RotateOptions } from './change-calls.ts'

const unknownAccount = 'there is no such account'
const unknownKey = 'the account has no such key'
const inOverlap = 'the predecessor of an earlier rotation still works, without --force'

const clientId = (): Argument =>
  new Argument('<client-id>', 'the account, as `postern account list` prints it')
const keyId = (): Argument =>
  new Argument('<key-id>', 'the key, as `postern account key list` prints it').argParser((text: string) => {
    if (/^[0-9A-Z]{12}$/.test(text)) return text
    throw new UsageError('the key id must be the 12 characters that `postern account key list` prints')
  })
const rotation = (): Option[] => [
  wholeNumber(
    '--overlap-hours <n>',
    `hours that the previous one still works; ${defaultOverlapHours} when left out. 0 ends it at once, with its tokens`,
    { min: 0, max: maxOverlapHours },
  ),
  new Option('--force', 'rotate within the overlap of an earlier rotation, and end its predecessor at once'),
]

export function defineKeys(account: Command): void {
  const key = defineGroup(account, {
    name: 'key',
    summary: 'Manage the API keys of an account.',
    examples: [
      'account key add shop-1 --name billing --scopes report,usage',
      'account key rotate shop-1 7QK2M9XW04TZ',
    ],
  })
  defineCommand(key, {
    name: 'add',
    summary: 'Add a key to an account and print it.',
    details:
      'The key is printed once and cannot be shown again. A client sends it as `Authorization: Bearer <key>`, or in place of the password when it requests a token. Running processes follow within two seconds.',
    arguments: [clientId()],
    options: [
      new Option('--name <name>', 'what it is for, for people').default(''),
      checked(
        '--scopes <list>',
        `any of ${scopes.join(', ')}, separated by commas (default: all)`,
        readScopes,
      ),
      wholeNumber('--days <n>', 'days after which it expires; never when left out', { min: 1, max: 3_650 }),
      checked(
        '--networks <list>',
        'networks in CIDR notation that it may be used from, separated by commas (default: all)',
        readNetworks,
      ),
      new Option(
        '--smpp',
        'make a password of eight characters for binds over SMPP instead: send submits, report receives receipts, replies receives replies',
      ),
    ],
    operation: 'addCredential',
    examples: [
      'account key add shop-1 --name shop-backend',
      'account key add shop-1 --smpp --networks 203.0.113.0/24',
      'account key add shop-1 --name billing --scopes report,usage --days 90 --networks 203.0.113.0/24,2001:db8::/48',
    ],
    failures: [
      unknownAccount,
      'the account has the maximum number of credentials',
      'with --smpp: the account may not use SMPP',
    ],
    json: '{"clientId":"shop-1","keyId":"7QK2M9XW04TZ","key":"postern_…","endsAt":null}',
    call: async (admin, id: string, options: AddKeyOptions) =>
      (await import('./change-calls.ts')).addKey(admin, id, options),
  })
  defineCommand(key, {
    name: 'list',
    summary: 'List the passwords and keys of an account, the oldest first, with their last use.',
    details: 'The last use is written at most once a minute.',
    arguments: [clientId()],
    operation: 'listCredentials',
    examples: ['account key list shop-1'],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","credentials":[{"keyId":"7QK2M9XW04TZ","kind":"key","name":"billing","state":"active","scopes":["report","usage"],"networks":null,"createdBy":"kim","createdAt":"…","endsAt":null,"revokedAt":null,"replacedBy":null,"usedAt":"…","usedFrom":"203.0.113.7"}]}',
    call: async (admin, id: string) => (await import('./change-calls.ts')).listKeys(admin, id),
  })
  defineCommand(key, {
    name: 'rotate',
    summary: 'Replace a key by a new one with the same rights, and print it.',
    details:
      'Both work until the overlap ends. The new key is printed once and cannot be shown again. It expires after as many days as the old one was given.',
    arguments: [clientId(), keyId()],
    options: rotation(),
    operation: 'rotateCredential',
    examples: [
      'account key rotate shop-1 7QK2M9XW04TZ',
      'account key rotate shop-1 7QK2M9XW04TZ --overlap-hours 0',
    ],
    failures: [unknownAccount, unknownKey, inOverlap],
    json: '{"clientId":"shop-1","keyId":"…","key":"postern_…","previousUntil":"…"}',
    call: async (admin, id: string, key: string, options: RotateOptions) =>
      (await import('./change-calls.ts')).rotateKey(admin, id, key, options),
  })
  defineCommand(key, {
    name: 'revoke',
    summary: 'End a key or a password and all tokens made from it.',
    details:
      'Running processes follow within two seconds. It cannot be undone. Webhooks whose URL was set with it are listed: they go on pushing reports.',
    arguments: [clientId(), keyId()],
    options: [new Option('--disable-webhooks', 'disable the webhooks whose URL was set with it')],
    operation: 'revokeCredential',
    examples: [
      'account key revoke shop-1 7QK2M9XW04TZ',
      'account key revoke shop-1 7QK2M9XW04TZ --disable-webhooks',
    ],
    failures: [unknownAccount, unknownKey],
    json: '{"clientId":"shop-1","keyId":"7QK2M9XW04TZ","revoked":true,"webhooks":[{"id":"…","url":"https://shop.example/reports","enabled":true}]}',
    call: async (admin, id: string, key: string, options: RevokeOptions) =>
      (await import('./change-calls.ts')).revokeKey(admin, id, key, options),
  })
  defineCommand(account, {
    name: 'password',
    summary: 'Give an account a new password and print it.',
    details:
      'The previous password and its tokens work until the overlap ends: use --overlap-hours 0 --force for a password that has leaked, which ends every earlier password. The new one is printed once and cannot be shown again. It has the networks and the lifetime of the previous one unless options say otherwise. All processes must run this version.',
    arguments: [clientId()],
    options: [
      ...rotation(),
      wholeNumber('--days <n>', 'days after which it expires; 0: never', { min: 0, max: 3_650 }),
      checked(
        '--networks <list>',
        'networks in CIDR notation that it may be used from, separated by commas, or "all"',
        (text, option) => (text === 'all' ? [] : readNetworks(text, option)),
      ),
    ],
    operation: 'changePassword',
    examples: [
      'account password shop-1',
      'account password shop-1 --overlap-hours 0 --force',
      'account password shop-1 --networks 203.0.113.0/24 --days 90',
    ],
    failures: [unknownAccount, inOverlap],
    json: '{"clientId":"shop-1","keyId":"…","password":"…","previousUntil":"…","endsAt":null}',
    call: async (admin, id: string, options: PasswordOptions) =>
      (await import('./change-calls.ts')).changePassword(admin, id, options),
  })
}

function readScopes(text: string, option: string): string[] {
  const list = readList(text)
  if (list.length > 0 && list.every((scope) => (scopes as readonly string[]).includes(scope)))
    return [...new Set(list)]
  throw new UsageError(`${option} must be a comma-separated list of ${scopes.join(', ')}, not '${text}'`)
}

function readNetworks(text: string, option: string): string[] {
  const list = readList(text).map(readNetwork)
  const networks = list.flatMap((network) => (network === null ? [] : [network]))
  if (networks.length > 0 && networks.length === list.length && networks.length <= 100) return networks
  throw new UsageError(
    `${option} must be up to 100 networks in CIDR notation such as 203.0.113.0/24, not '${text}'`,
  )
}
