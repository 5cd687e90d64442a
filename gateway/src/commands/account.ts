/** `postern account …` */
import { parseArgs } from 'node:util'
import { generatePassword, hashPassword } from '../accounts/password.ts'
import { insertAccount, loadAccounts, revokeTokens, setBlocked } from '../accounts/queries.ts'
import { randomLetters } from '../platform/keys.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string' },
      'client-id': { type: 'string' },
      'part-counts': { type: 'boolean', default: false },
      'no-polling': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  if (values.name === undefined) throw new UsageError('--name is missing')
  const clientId = values['client-id'] ?? `acc${randomLetters(10).toLowerCase()}`
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await withDatabase((database) =>
    insertAccount(database, {
      clientId,
      name: values.name!,
      passwordHash,
      mayPoll: !values['no-polling'],
      partCounts: values['part-counts'],
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

async function change(
  args: string[],
  what: string,
  apply: (clientId: string) => Promise<boolean>,
): Promise<void> {
  const [clientId] = args
  if (clientId === undefined)
    throw new UsageError('a client id is missing; `postern account list` shows them')
  if (!(await apply(clientId)))
    throw new UsageError(`there is no account '${clientId}'; \`postern account list\` shows them`)
  print(`${clientId}: ${what}; running processes follow within a second or two`)
}

export const account: Command = {
  name: 'account',
  usage:
    'account create --name NAME [--client-id ID] [--part-counts] [--no-polling] [--json] | list | revoke-tokens ID | block ID | unblock ID',
  summary: 'customers and their credentials',
  async run([action, ...args]) {
    switch (action) {
      case 'create':
        return create(args)
      case 'list':
        return list()
      case 'revoke-tokens':
        return change(args, 'all its tokens are revoked', (id) =>
          withDatabase((database) => revokeTokens(database, id)),
        )
      case 'block':
        return change(args, 'blocked', (id) => withDatabase((database) => setBlocked(database, id, true)))
      case 'unblock':
        return change(args, 'unblocked', (id) => withDatabase((database) => setBlocked(database, id, false)))
      default:
        throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
    }
  },
}
