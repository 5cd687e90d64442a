import { Type } from 'typebox'
import { listAccountPage, readAccount } from '../../identity/accounts/queries.ts'
import { listBlocks } from '../../identity/accounts/blocks.ts'
import { createAccount, setAccount } from './settings.ts'
import { noSuchAccount, requireAccountId } from '../find-account.ts'
import { blockAccount, countBlockedMessages, unblockAccount } from './block.ts'
import { OperationError } from '../errors.ts'
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
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { AccountSchema, accountFields, changedFields, smartEncodingDescription, toAccount } from './fields.ts'

const Block = record(
  {
    at: time('When it was blocked'),
    by: text('Operator who blocked it'),
    reason: text('Why'),
    notice: nullable(text('How and when the customer was notified')),
    backlog: oneOf(['close', 'hold'], 'What happened to waiting messages'),
    webhooks: whole('Webhooks that were paused'),
    submitted: nullable(
      whole(
        'Messages already submitted to carriers, counted right after the block; null if not counted in time',
      ),
    ),
    closed: nullable(whole('Messages that the block had closed at that count')),
    held: nullable(whole('Messages that the block held at that count')),
    endedAt: nullable(time('When it was unblocked')),
    endedBy: nullable(text('Operator who unblocked it')),
    endedReason: nullable(text('Why')),
  },
  'A block of the account',
  { title: 'AccountBlock' },
)

const listOperation = defineOperation({
  id: 'listAccounts',
  method: 'get',
  path: '/admin/v1/accounts',
  tag: 'Accounts',
  summary: 'List accounts by client ID, or oldest first',
  access: readAccess(),
  action: 'account list',
  command: { examples: ['', '--search shop', '--blocked --json'], columns: ['clientId', 'state', 'name'] },
  query: {
    ...pageQuery,
    prefix: Type.Optional(text('Client IDs with this prefix', { minLength: 1, maxLength: 200 })),
    search: Type.Optional(
      text('Client IDs with this prefix, and names that contain it', { minLength: 1, maxLength: 100 }),
    ),
    blocked: Type.Optional(flag('Filters by whether an account is blocked')),
    order: Type.Optional(oneOf(['clientId', 'created'], 'clientId: the default; created: oldest first')),
  },
  data: page(AccountSchema, 'Accounts'),
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
  summary: 'Show an account and its blocks',
  access: readAccess(),
  client: 'own',
  action: 'account show',
  command: { examples: ['shop-1'] },
  params: { clientId },
  data: record({ ...accountFields, stops: internal(list(Block, 'Blocks of the account')) }, 'An account', {
    title: 'AccountDetail',
  }),
  run: async ({ params }, { database }) => {
    const account = await readAccount(database, params.clientId)
    if (account === null) throw noSuchAccount(params.clientId)
    const stops = await listBlocks(database, account.id)
    return { ...toAccount(account), stops: stops.map((stop) => ({ ...stop, notice: stop.notice ?? null })) }
  },
})

const createOperation = defineOperation({
  id: 'createAccount',
  method: 'post',
  path: '/admin/v1/accounts',
  tag: 'Accounts',
  summary: 'Create an account; its password is returned once',
  access: writeAccess('credentials'),
  action: 'account create',
  command: {
    examples: ['--name Shop --limits-send 200', '--name Shop --client-id shop-1 --json'],
    details:
      'The account has a cap of POSTERN_NEW_ACCOUNT_DAY_CAP messages per day, or none if it is 0; `postern protection cap` changes or removes it.',
    note: 'The password is not stored and cannot be shown again.',
  },
  body: {
    name: text('Display name', { minLength: 1, maxLength: 200 }),
    clientId: Type.Optional(text('Generated if omitted', { pattern: '^[A-Za-z0-9._-]{1,64}$' })),
    ...changedFields,
    polling: Type.Optional(
      Type.Boolean({ description: 'Whether polling for reports is enabled', default: true }),
    ),
    smartEncoding: Type.Optional(Type.Boolean({ description: smartEncodingDescription, default: true })),
  },
  data: record(
    {
      clientId,
      password: text('The password, which is not stored'),
      dayCap: nullable(whole('Maximum messages per day; null means no cap. `setAccountCap` changes it')),
      apiUrl: text('URL of the API: the origin of `POSTERN_PUBLIC_FILE_URL`'),
    },
    'The account',
  ),
  run: async ({ body }, { audit, services: { config } }) => ({
    ...(await createAccount(audit, config, body)),
    apiUrl: new URL(config.publicFileUrl).origin,
  }),
})

const setOperation = defineOperation({
  id: 'setAccount',
  method: 'patch',
  path: '/admin/v1/accounts/{clientId}',
  tag: 'Accounts',
  summary: 'Change settings of an account; omitted settings are kept',
  description:
    'Changes of limits or erasure, and more `smppBinds` or `batchMegabytes`, require a reason. Higher limits, more `smppBinds` or `batchMegabytes`, a larger weight and a preferred lane require the right _trust_; earlier erasure requires _erase_. The change takes effect in all processes within two seconds.',
  access: writeAccess('accounts'),
  action: 'account set',
  command: {
    examples: [
      'shop-1 --limits-send 500 --limits-report none --reason "contract of 2026-11"',
      'shop-1 --weight 3',
    ],
  },
  params: { clientId },
  body: changedFields,
  data: AccountSchema,
  run: async ({ params, body }, { audit, services: { config } }) =>
    toAccount(await setAccount(audit, config, params.clientId, body)),
})

const blockOperation = defineOperation({
  id: 'blockAccount',
  method: 'post',
  path: '/admin/v1/accounts/{clientId}/block',
  tag: 'Accounts',
  summary: 'Block an account: reject its requests and stop its messages',
  description:
    'Within two seconds nothing more is submitted. Waiting messages are closed with report 90011, or held with `hold`. Submitted messages are reported as usual. The webhooks of the account are paused.',
  access: writeAccess('block', 'required'),
  action: 'account block',
  params: { clientId },
  body: {
    hold: Type.Optional(
      flag('Hold waiting messages until the account is unblocked; their deadlines still apply'),
    ),
    notice: Type.Optional(text('How and when the customer was notified', { minLength: 1, maxLength: 200 })),
  },
  data: record(
    {
      clientId,
      backlog: oneOf(['close', 'hold'], 'What happens to waiting messages'),
      submitted: nullable(whole('Messages already submitted to carriers; null if not counted in time')),
      closed: nullable(whole('Messages closed by the block; null if not counted in time')),
      held: nullable(whole('Messages held until the unblock; null if not counted in time')),
      open: nullable(whole('Messages that workers have yet to close or hold; null if not counted in time')),
      webhooks: whole('Paused webhooks'),
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

const progressOperation = defineOperation({
  id: 'showAccountStop',
  method: 'get',
  path: '/admin/v1/accounts/{clientId}/stop',
  tag: 'Accounts',
  summary: 'Show the progress of an account block',
  access: readAccess(),
  action: 'account block',
  params: { clientId },
  data: record(
    {
      clientId,
      backlog: oneOf(['close', 'hold'], 'What happens to waiting messages'),
      submitted: whole('Messages submitted to carriers'),
      closed: whole('Messages closed by the block'),
      held: whole('Messages held until the unblock'),
      open: whole('Messages that workers have yet to close or hold'),
    },
    'A block in progress',
    { title: 'BlockProgress' },
  ),
  run: async ({ params }, { database }) => {
    const [stop] = await listBlocks(database, await requireAccountId(database, params.clientId))
    if (stop === undefined || stop.endedAt !== null)
      throw new OperationError('refused', `account '${params.clientId}' is not blocked`)
    const counts = await countBlockedMessages(database, stop)
    return { clientId: params.clientId, backlog: stop.backlog, ...counts }
  },
})

const unblockOperation = defineOperation({
  id: 'unblockAccount',
  method: 'post',
  path: '/admin/v1/accounts/{clientId}/unblock',
  tag: 'Accounts',
  summary: 'Unblock an account; held messages are sent',
  description:
    'Held messages are sent at their scheduled time or immediately; closed messages stay closed. Its webhooks resume with the first report not yet pushed.',
  access: writeAccess('block', 'required'),
  action: 'account unblock',
  command: {
    examples: ['shop-1 --reason "case 118 is closed"'],
    note: 'The change takes effect in all processes within two seconds.',
  },
  params: { clientId },
  data: record({ clientId, resumed: whole('Held messages that are resumed') }, 'The unblock'),
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
  progressOperation,
  unblockOperation,
]
