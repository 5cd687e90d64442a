/** Two cells with one account after the other, and the command that moves it, for the tests of `postern account move`. */
import assert from 'node:assert/strict'
import { createTestBroker } from './broker.ts'
import { createTestDatabase } from './database.ts'
import { recordOne } from './fixtures.ts'
import { useDatabaseUsers } from './use-database-users.ts'
import { createTestServer, type Answer, type TestAccount, type TestServer } from './server.ts'
import { readMoving, type Pause } from '../../src/accounts/moves.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { createFileKey } from '../../src/files/file.ts'
import { announceFile, markStored } from '../../src/files/queries.ts'
import { inTransaction, type Database } from '../../src/platform/database.ts'
import { inClear } from '../../src/platform/encryption/field-cipher.ts'
import { closeMessages } from '../../src/records/messages/close.ts'
import type { Move } from '../../src/commands/account/move-context.ts'
import { changes, type Access } from '../../src/commands/access.ts'
import type { Result } from '../../src/commands/result.ts'
import { moveAccount, type MoveOptions } from '../../src/commands/account/move.ts'
import { createInvocation, type Invocation } from '../../src/commands/invocation.ts'
import { settingNames, type Config } from '../../src/platform/config.ts'

export interface Cell {
  readonly id: string
  /** Of the database user of commands. */
  readonly url: string
  readonly database: Database
  readonly api: TestServer
}

const { broker, topology } = await createTestBroker()
const password = 'CORRECT-HORSE'
export const passwordHash = await hashPassword(password)
export const [a, b] = [await openCell('A1'), await openCell('B1')]

export async function openCell(id: string): Promise<Cell> {
  const { database, url: ownerUrl } = await createTestDatabase()
  const { urlOf } = await useDatabaseUsers(ownerUrl)
  return {
    id,
    url: urlOf('cli'),
    database,
    api: await createTestServer({ database, broker, topology, cell: id }),
  }
}

export const times = { followMs: 50, quietMs: 300 }

interface Output {
  readonly json: unknown
  readonly lines: readonly string[]
  /** Empty when the command succeeded. */
  readonly error: string
}

export async function move(
  clientId: string,
  from: Cell,
  to: Cell,
  options: Partial<MoveOptions> = {},
  progress: (text: string) => void = () => undefined,
): Promise<Output> {
  const given = { to: to.url, toCell: to.id, proxyMap: 'clients.map', wait: true, ...options }
  return runIn(from, () => moveAccount(testInvocation('account move'), clientId, given, times, progress))
}

/** A run of a command, as its definition makes it. */
export function testInvocation(
  command = 'account set',
  access: Access = changes('accounts'),
): Invocation<keyof Config> {
  return createInvocation(command, access, { reason: 'test' }, settingNames)
}

/** Runs a command with the settings of the cell. */
export async function runIn(cell: Cell, command: () => Promise<Result>): Promise<Output> {
  const before = { ...process.env }
  Object.assign(process.env, {
    POSTERN_DATABASE_URL: cell.url,
    POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    POSTERN_CELL: cell.id,
  })
  try {
    const { json, lines } = await command()
    return { json, lines, error: '' }
  } catch (error) {
    return { json: null, lines: [], error: (error as Error).message }
  } finally {
    process.env = before
    for (const { api } of [a, b]) await api.accounts.refresh()
  }
}

export async function moved(clientId: string, from: Cell, to: Cell): Promise<Record<string, unknown>> {
  const { json, error } = await move(clientId, from, to, { wait: false })
  assert.equal(error, '')
  return json as Record<string, unknown>
}

export const login = ({ api }: Cell, clientId: string): Promise<Answer> =>
  api.inject({
    method: 'POST',
    url: '/v1/auth/token',
    headers: { 'x-svc-client-id': clientId, 'x-svc-client-passwd': password },
  })

/** The account as the cell knows it, with a token that the cell issued. */
export async function enter(cell: Cell, clientId: string): Promise<TestAccount> {
  const { status, body } = await login(cell, clientId)
  assert.equal(status, 200, body.result)
  const { id } = cell.api.accounts.value.byClientId.get(clientId)!
  return { id, clientId, token: (body.data as { token: string }).token }
}

export interface Batch {
  readonly reportId: string
  readonly report: readonly { readonly msgKey: string }[]
}

export const keysOf = (batch: Pick<Batch, 'report'>): string[] => batch.report.map(({ msgKey }) => msgKey)
export const poll = async (cell: Cell, account: TestAccount): Promise<Batch> =>
  (await cell.api.call(account, 'GET', '/v1/report/polling')).body.data as Batch
export const acknowledge = (cell: Cell, account: TestAccount, id: string): Promise<Answer> =>
  cell.api.call(account, 'DELETE', `/v1/report/polling/${id}`)

/** Messages that the cell has accepted; they stay open. */
export async function open(cell: Cell, accountId: number, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let n = 0; n < count; n++) {
    const msgKey = createMsgKey(cell.id, new Date())
    await recordOne(cell.database, { msgKey, accountId })
    keys.push(msgKey)
  }
  return keys
}

export async function close(cell: Cell, keys: readonly string[]): Promise<void> {
  const at = new Date()
  await inTransaction(cell.database, (transaction) =>
    closeMessages(
      transaction,
      keys.map((msgKey) => ({ msgKey, step: 1, try: 1, cause: 'delivered', parts: 1, sentAt: at, at })),
    ),
  )
}

/** From cell A1 to B1, as one run of the command sees it. */
export const moveOf = async (clientId: string): Promise<Move> => ({
  ...{ sourceCipher: inClear, targetCipher: inClear },
  ...{ source: a.database, target: b.database, fromCell: a.id, toCell: b.id, clientId },
  account: (await readMoving(a.database, clientId))!,
  progress: () => undefined,
})

export async function storeFile(cell: Cell, accountId: number): Promise<string> {
  const later = new Date(Date.now() + 1e9)
  const key = createFileKey(new Date(), cell.id)
  const image = { serviceType: 'MMS', kind: '', format: 'jpg', width: 1, height: 1, bytes: 9 } as const
  await announceFile(cell.database, { key, accountId, ...image, expiresAt: later }, later)
  await markStored(cell.database, key, later)
  return key
}

export const held = ({ clientId }: TestAccount, holder = 'run 1'): Pause => ({
  clientId,
  holder,
  seconds: 30,
})
export const newAccount = (cell: Cell): Promise<TestAccount> => cell.api.account({ passwordHash, weight: 7 })
