/** Accounts: list, show, create, set, block with its progress, and unblock. */
import { Type } from 'typebox'
import { listAccountPage, readAccount } from '../../accounts/queries.ts'
import { readStops } from '../../accounts/stops.ts'
import { createAccount, setAccount } from '../../acts/account-settings.ts'
import { noSuchAccount, requireAccountId } from '../../acts/accounts.ts'
import { blockAccount, countStopped, unblockAccount } from '../../acts/block.ts'
import { OperationError } from '../../acts/errors.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  clientId,
  flag,
  internal,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  rowNumber,
  text,
  time,
  whole,
} from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { Account, accountFields, changedFields, toAccount } from './account-fields.ts'

const Stop = record(
  {
    at: time('When it was blocked'),
    by: text('By whom'),
    reason: text('Why'),
    notice: nullable(text('How and when the customer was told')),
    backlog: oneOf(['close', 'hold'], 'What became of what waited'),
    webhooks: whole('Webhooks that were paused'),
    submitted: nullable(whole('Messages that carriers had before; null until they are counted')),
    closed: nullable(whole('Messages that the block ended')),
    held: nullable(whole('Messages that waited for the unblock')),
    endedAt: nullable(time('When it was unblocked')),
    endedBy: nullable(text('By whom')),
    endedReason: nullable(text('Why')),
  },
  'A time in which the account was blocked',
  { title: 'AccountBlock' },
)

const listOperation = defineOperation({
  id: 'listAccounts',
  method: 'get',
  path: '/admin/v1/accounts',
  tag: 'Accounts',
  summary: 'List accounts by client id, or the oldest first',
  access: reads(),
  action: 'account list',
  command: { examples: ['', '--search shop', '--blocked --json'], columns: ['clientId', 'state', 'name'] },
  query: {
    ...pageQuery,
    prefix: Type.Optional(text('Client ids that begin with it', { minLength: 1, maxLength: 200 })),
    search: Type.Optional(
      text('Client ids that begin with it, and names that contain it', { minLength: 1, maxLength: 100 }),
    ),
    blocked: Type.Optional(flag('Only accounts that are blocked; false: only the others')),
    order: Type.Optional(oneOf(['clientId', 'created'], 'clientId: the default. created: the oldest first')),
  },
  data: page(Account, 'Accounts'),
  run: async ({ query: { limit: size, cursor, order, ...filter } }, { database }) => {
    if (order === 'created') {
      const afterId = readCursor(Type.Tuple([rowNumber('Number of the last account', 0)]), cursor)?.[0] ?? 0
      const found = await listAccountPage(database, { ...filter, afterId, limit: size + 1 })
      return toPage(found, size, toAccount, ({ id }) => [id])
    }
    const after = readCursor(Type.Tuple([Type.String({ maxLength: 200 })]), cursor)?.[0]
    const rows = await listAccountPage(database, { ...filter, after, limit: size + 1 })
    return toPage(rows, size, toAccount, (account) => [account.clientId])
  },
})

const showOperation = defineOperation({
  id: 'showAccount',
  method: 'get',
  path: '/admin/v1/accounts/{clientId}',
  tag: 'Accounts',
  summary: 'Show an account, and when it was blocked',
  access: reads(),
  client: 'own',
  action: 'account show',
  command: { examples: ['shop-1'] },
  params: { clientId },
  data: record({ ...accountFields, stops: internal(list(Stop, 'When it was blocked')) }, 'An account', {
    title: 'AccountDetail',
  }),
  run: async ({ params }, { database }) => {
    const account = await readAccount(database, params.clientId)
    if (account === null) throw noSuchAccount(params.clientId)
    const stops = await readStops(database, account.id)
    return { ...toAccount(account), stops: stops.map((stop) => ({ ...stop, notice: stop.notice ?? null })) }
  },
})

const createOperation = defineOperation({
  id: 'createAccount',
  method: 'post',
  path: '/admin/v1/accounts',
  tag: 'Accounts',
  summary: 'Create an account; its password is answered once',
  access: changes('credentials'),
  action: 'account create',
  command: {
    examples: ['--name Shop --limits-send 200', '--name Shop --client-id shop-1 --json'],
    details:
      'The account has a cap of POSTERN_NEW_ACCOUNT_DAY_CAP messages per day, which `postern protection cap` raises or removes.',
    note: 'The password is not stored and cannot be shown again.',
  },
  body: {
    name: text('Its name, for people', { minLength: 1, maxLength: 200 }),
    clientId: Type.Optional(text('Made when it is left out', { pattern: '^[A-Za-z0-9._-]{1,64}$' })),
    ...changedFields,
    polling: Type.Optional(Type.Boolean({ description: 'Whether it may poll its reports', default: true })),
  },
  data: record(
    {
      clientId,
      password: text('Its password, which is not stored'),
      dayCap: nullable(whole('Messages per day that it may send; `setAccountCap` changes it')),
      apiUrl: text('Address of the API, as `POSTERN_PUBLIC_FILE_BASE` has it'),
    },
    'The account',
  ),
  run: async ({ body }, { audit, services: { config } }) => ({
    ...(await createAccount(audit, config, body)),
    apiUrl: new URL(config.publicFileBase).origin,
  }),
})

const setOperation = defineOperation({
  id: 'setAccount',
  method: 'patch',
  path: '/admin/v1/accounts/{clientId}',
  tag: 'Accounts',
  summary: 'Change settings of an account; what is left out stays',
  description:
    'A change of limits or of the erasure and more `smppBinds` need a reason; a higher limit, more `smppBinds`, a larger weight and a preferred lane need the right _trust_, an earlier erasure _erase_. Running processes follow within two seconds.',
  access: changes('accounts'),
  action: 'account set',
  command: {
    examples: [
      'shop-1 --limits-send 500 --limits-report none --reason "contract of 2026-11"',
      'shop-1 --weight 3',
    ],
  },
  params: { clientId },
  body: changedFields,
  data: Account,
  run: async ({ params, body }, { audit, services: { config } }) =>
    toAccount(await setAccount(audit, config, params.clientId, body)),
})

const blockOperation = defineOperation({
  id: 'blockAccount',
  method: 'post',
  path: '/admin/v1/accounts/{clientId}/block',
  tag: 'Accounts',
  summary: 'Refuse every request of an account and stop everything it has sent',
  description:
    'Within two seconds nothing more of it is submitted. What waits ends with the report 90011, or waits with `hold`. What carriers have already is reported as usual. Its webhooks pause.',
  access: changes('block', 'required'),
  action: 'account block',
  params: { clientId },
  body: {
    hold: Type.Optional(flag('Keep what waits until the account is unblocked; the deadlines hold')),
    notice: Type.Optional(text('How and when the customer was told', { minLength: 1, maxLength: 200 })),
  },
  data: record(
    {
      clientId,
      backlog: oneOf(['close', 'hold'], 'What becomes of what waits'),
      submitted: nullable(
        whole('Messages that carriers have already; null when they could not be counted in time'),
      ),
      closed: nullable(
        whole('Messages that the block has ended; null when they could not be counted in time'),
      ),
      held: nullable(
        whole('Messages that wait for the unblock; null when they could not be counted in time'),
      ),
      open: nullable(
        whole('Messages that workers end or hold now; null when they could not be counted in time'),
      ),
      webhooks: whole('Webhooks that are paused'),
      reason: text('Why'),
    },
    'The block',
  ),
  run: async ({ params, body: { hold = false, notice } }, { database, audit }) => {
    const backlog = hold ? ('hold' as const) : ('close' as const)
    const { stop, counts } = await blockAccount(database, audit, params.clientId, { backlog, notice })
    const uncounted = { submitted: null, closed: null, held: null, open: null }
    return { ...stop, ...(counts ?? uncounted), clientId: params.clientId }
  },
})

const stopOperation = defineOperation({
  id: 'showAccountStop',
  method: 'get',
  path: '/admin/v1/accounts/{clientId}/stop',
  tag: 'Accounts',
  summary: 'Show what the block of an account has done to its messages so far',
  access: reads(),
  action: 'account block',
  params: { clientId },
  data: record(
    {
      clientId,
      backlog: oneOf(['close', 'hold'], 'What becomes of what waits'),
      submitted: whole('Messages that carriers have now'),
      closed: whole('Messages that the block has ended'),
      held: whole('Messages that wait for the unblock'),
      open: whole('Messages that workers have yet to end or hold'),
    },
    'A block in progress',
    { title: 'BlockProgress' },
  ),
  run: async ({ params }, { database }) => {
    const [stop] = await readStops(database, await requireAccountId(database, params.clientId))
    if (stop === undefined || stop.endedAt !== null)
      throw new OperationError('refused', `account '${params.clientId}' is not blocked`)
    const counts = await countStopped(database, stop)
    return { clientId: params.clientId, backlog: stop.backlog, ...counts }
  },
})

const unblockOperation = defineOperation({
  id: 'unblockAccount',
  method: 'post',
  path: '/admin/v1/accounts/{clientId}/unblock',
  tag: 'Accounts',
  summary: 'Serve a blocked account again; what was held is sent',
  description:
    'Held messages are sent at their time or at once; messages that were closed stay closed. Its webhooks continue with the first report that they have not pushed.',
  access: changes('block', 'required'),
  action: 'account unblock',
  command: {
    examples: ['shop-1 --reason "case 118 is closed"'],
    note: 'Running processes follow within two seconds.',
  },
  params: { clientId },
  data: record({ clientId, resumed: whole('Held messages that are sent now') }, 'The unblock'),
  run: async ({ params }, { database, audit }) => ({
    clientId: params.clientId,
    resumed: await unblockAccount(database, audit, params.clientId),
  }),
})

export const accountOperations = [
  listOperation,
  showOperation,
  createOperation,
  setOperation,
  blockOperation,
  stopOperation,
  unblockOperation,
]
