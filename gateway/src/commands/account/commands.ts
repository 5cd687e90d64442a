/** Definitions of `postern account …`. */
import type { CreateOptions, SettingsOptions } from '../../acts/account-settings.ts'
import { Argument, Option, type Command } from 'commander'
import { changes } from '../access.ts'
import { defineCommand, defineGroup, defineDatabaseCommand } from '../define.ts'
import { fileSettings } from '../setting-lists.ts'
import { defineBlock } from './define-block.ts'
import { defineKeys } from './define-keys.ts'
import { settingsOptions } from './settings.ts'

const unknownAccount = 'there is no such account'
const accountDocument =
  '{"clientId":"shop-1","name":"Shop","blocked":false,"polling":true,"partCounts":false,"reportKeys":"full","limits":{"send":500,"report":null,"file":null,"form":null},"lane":null,"weight":1,"eraseAfterDays":null,"uncertainFallback":"always","smppBinds":0,"smppSystemId":null,"smppReplies":false}'

const clientId = (): Argument =>
  new Argument('<client-id>', 'the account, as `postern account list` prints it')

export function defineAccount(program: Command): void {
  const account = defineGroup(program, {
    name: 'account',
    summary: 'Manage accounts, their credentials and their settings.',
    examples: [
      'account create --name Shop --send-limit 200',
      'account set shop-1 --send-limit 500 --report-limit default --reason "contract of 2026-11"',
    ],
  })
  defineCommand(account, {
    name: 'create',
    summary: 'Create an account and print its credentials.',
    details:
      'The password is printed once and cannot be shown again. The account has a cap of POSTERN_NEW_ACCOUNT_DAY_CAP messages per day, which `postern protection cap` raises or removes.',
    required: [new Option('--name <name>', 'name of the customer, for people')],
    options: [
      new Option('--client-id <id>', 'its client id (default: a generated one)'),
      ...settingsOptions(),
    ],
    operation: 'createAccount',
    examples: [
      'account create --name Shop --send-limit 200',
      'account create --name Shop --client-id shop-1 --json',
    ],
    failures: ['the client id is taken'],
    json: '{"clientId":"shop-1","password":"…","dayCap":10000}',
    call: async (admin, options: CreateOptions) =>
      (await import('./change-calls.ts')).createAccount(admin, options),
  })
  defineCommand(account, {
    name: 'set',
    summary: 'Change settings of an account.',
    details:
      'Options that are left out keep their value. Running processes follow within two seconds. A change of limits or of --erase-after and more --smpp-binds need --reason, and a higher limit, more --smpp-binds, a larger --weight or a --lane that goes before the present one the right trust.',
    arguments: [clientId()],
    options: settingsOptions(),
    operation: 'setAccount',
    examples: [
      'account set shop-1 --send-limit 500 --report-limit default --reason "contract of 2026-11"',
      'account set shop-1 --weight 3',
    ],
    failures: [unknownAccount],
    json: accountDocument,
    call: async (admin, id: string, options: SettingsOptions) =>
      (await import('./change-calls.ts')).setAccount(admin, id, options),
  })
  defineCommand(account, {
    name: 'list',
    summary: 'List all accounts, the oldest first.',
    operation: 'listAccounts',
    examples: ['account list', "account list --json | jq -r '.accounts[].clientId'"],
    json: `{"accounts":[${accountDocument}]}`,
    call: async (admin) => (await import('./calls.ts')).listAccounts(admin),
  })
  defineCommand(account, {
    name: 'show',
    summary: 'Show one account and its settings.',
    details:
      'In JSON, a limit of null is the configured default and 0 is no limit; a lane of null is by kind.',
    arguments: [clientId()],
    operation: 'showAccount',
    examples: ['account show shop-1'],
    failures: [unknownAccount],
    json: accountDocument,
    call: async (admin, id: string) => (await import('./calls.ts')).showAccount(admin, id),
  })
  defineKeys(account)
  defineBlock(account, clientId)
  defineAccess(account)
}

function defineAccess(account: Command): void {
  defineCommand(account, {
    name: 'revoke-tokens',
    summary: 'Make every access token of an account invalid.',
    details:
      'Its passwords and keys stay valid: it can request a new token at once. `postern account password` changes a leaked password.',
    arguments: [clientId()],
    operation: 'revokeTokens',
    examples: ['account revoke-tokens shop-1'],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","revoked":true}',
    call: async (admin, id: string) => (await import('./change-calls.ts')).revokeTokens(admin, id),
  })
  defineDatabaseCommand(account, {
    name: 'delete-files',
    summary: 'Delete all uploaded files of an account.',
    details: 'Messages that were accepted and not submitted yet lose their images.',
    arguments: [clientId()],
    access: changes('erase', 'required'),
    examples: ['account delete-files shop-1 --reason "the customer has left"'],
    settings: fileSettings,
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","deleted":3}',
    databaseOnly: 'it deletes where the files are stored, which the admin API does not reach',
    run: async (invocation, id: string) =>
      (await import('./delete-files.ts')).deleteAccountFiles(invocation, id),
  })
  defineCommand(account, {
    name: 'erase-recipient',
    summary: 'Erase the text and the recipient of all closed messages of an account to one number.',
    details:
      'Its replies are deleted. Their parked jobs are removed, the number is removed from receipts that match no message, and images that no other message and no form uses are deleted. Open messages are not touched; how many there are is printed, and so are other parked jobs that name the number, so that the command can be run again.',
    arguments: [clientId(), new Argument('<number>', 'the recipient as it was sent to, such as 01012345678')],
    operation: 'eraseRecipient',
    examples: ['account erase-recipient shop-1 01012345678 --reason "asked by the person, case 204"'],
    failures: [unknownAccount],
    json: '{"clientId":"shop-1","erased":3,"open":0,"files":0,"replies":0,"parked":[]}',
    call: async (admin, id: string, number: string) =>
      (await import('./change-calls.ts')).eraseRecipient(admin, id, number),
  })
}
