/** `postern account …` */
import { parseArgs } from 'node:util'
import { generatePassword, hashPassword } from '../accounts/password.ts'
import { defaultSettings } from '../accounts/account.ts'
import {
  findAccountId,
  insertAccount,
  loadAccounts,
  lockAccount,
  revokeTokens,
  setBlocked,
  updateSettings,
} from '../accounts/queries.ts'
import { eraseRecipient } from '../records/messages/erase.ts'
import { inTransaction } from '../platform/database.ts'
import { randomLetters } from '../contract/msg-key.ts'
import { changeSettings, describeSettings, settingsOptions, settingsUsage } from './account-settings.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      name: { type: 'string' },
      'client-id': { type: 'string' },
      json: { type: 'boolean', default: false },
      ...settingsOptions,
    },
  })
  if (values.name === undefined) throw new UsageError('--name is missing')
  const settings = changeSettings(defaultSettings, values)
  const clientId = values['client-id'] ?? `acc${randomLetters(10).toLowerCase()}`
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await withDatabase((database) =>
    insertAccount(database, {
      clientId,
      name: values.name!,
      passwordHash,
      ...settings,
    }),
  )
  if (values.json) return print(JSON.stringify({ clientId, password }))
  print(`client id  ${clientId}`)
  print(`password   ${password}`)
  print('The password is not kept and cannot be shown again.')
}

async function list(): Promise<void> {
  const accounts = await withDatabase((database) => loadAccounts(database))
  for (const account of accounts.sort((left, right) => left.id - right.id)) {
    print(`${account.clientId.padEnd(24)} ${account.blocked ? 'blocked' : 'active '} ${account.name}`)
  }
}

async function set(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: settingsOptions,
  })
  const [clientId] = positionals
  if (clientId === undefined) throw missingClientId()
  const settings = await withDatabase((database) =>
    inTransaction(database, async (transaction) => {
      const before = await lockAccount(transaction, clientId)
      if (before === null) throw noSuchAccount(clientId)
      const after = changeSettings(before, values)
      await updateSettings(transaction, clientId, after)
      return after
    }),
  )
  print(`${clientId}: ${describeSettings(settings)}; running processes follow within a second or two`)
}

async function eraseOne(args: string[]): Promise<void> {
  const [clientId, number] = args
  if (clientId === undefined) throw missingClientId()
  if (number === undefined) throw new UsageError('the number is missing, as it was sent to: 01012345678')
  const { erased, open } = await withDatabase(async (database) => {
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    return eraseRecipient(database, id, number)
  })
  print(`${clientId}: text and recipient of ${erased} messages are erased`)
  if (open > 0) print(`${open} more are still open; run this again when they are closed`)
}

async function change(
  args: string[],
  what: string,
  apply: (clientId: string) => Promise<boolean>,
): Promise<void> {
  const [clientId] = args
  if (clientId === undefined) throw missingClientId()
  if (!(await apply(clientId))) throw noSuchAccount(clientId)
  print(`${clientId}: ${what}; running processes follow within a second or two`)
}

function missingClientId(): UsageError {
  return new UsageError('a client id is missing; `postern account list` shows them')
}

function noSuchAccount(clientId: string): UsageError {
  return new UsageError(`there is no account '${clientId}'; \`postern account list\` shows them`)
}

export const account: Command = {
  name: 'account',
  usage: `account create --name NAME [--client-id ID] [--json] SETTINGS | set ID SETTINGS | list | revoke-tokens ID | block ID | unblock ID | erase-recipient ID NUMBER
              SETTINGS: ${settingsUsage}`,
  summary: 'customers and their credentials',
  async run([action, ...args]) {
    switch (action) {
      case 'create':
        return create(args)
      case 'set':
        return set(args)
      case 'list':
        return list()
      case 'revoke-tokens':
        return change(args, 'all its tokens are revoked', (id) =>
          withDatabase((database) => revokeTokens(database, id)),
        )
      case 'block':
        return change(args, 'blocked', (id) => withDatabase((database) => setBlocked(database, id, true)))
      case 'erase-recipient':
        return eraseOne(args)
      case 'unblock':
        return change(args, 'unblocked', (id) => withDatabase((database) => setBlocked(database, id, false)))
      default:
        throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
    }
  },
}
