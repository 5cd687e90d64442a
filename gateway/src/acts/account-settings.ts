/** The settings of an account that operators change, with the rights and the reason that a change needs. */
import {
  defaultSettings,
  families,
  maxSystemId,
  getSystemId,
  type AccountLimits,
  type AccountSettings,
  type Family,
  type Account,
} from '../accounts/account.ts'
import { generatePassword, hashPassword } from '../accounts/password.ts'
import { findAccountId, findSystemIdOwner, insertAccount, updateSettings } from '../accounts/queries.ts'
import { changesBetween } from '../audit/changes.ts'
import type { UsualLane } from '../channels/lane.ts'
import { randomLetters } from '../contract/msg-key.ts'
import type { Right } from '../operators/rights.ts'
import { beginSmppConsumer } from '../records/feed/consumers.ts'
import { reportFeed } from '../records/reports/queries.ts'
import { setCap } from '../trust/abuse/protection.ts'
import type { Config } from '../platform/config.ts'
import type { Queryable } from '../platform/database.ts'
import { lockAccount } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError, wrongField } from './errors.ts'

/** What is left out stays. */
export interface SettingsChange extends Partial<Omit<AccountSettings, 'mayPoll' | 'limits'>> {
  readonly polling?: boolean
  readonly limits?: Partial<AccountLimits>
}

/** What an account without a limit of its own has. */
export type ConfiguredLimits = Pick<Config, `${Family}Limit`>

export interface NewAccount extends SettingsChange {
  readonly name: string
  readonly clientId?: string
}

export interface CreatedAccount {
  readonly clientId: string
  /** Only its hash is stored. */
  readonly password: string
  /** The number of messages that it may send per day; null if it has no cap. */
  readonly dayCap: number | null
}

export async function createAccount(
  audit: ActAudit,
  config: ConfiguredLimits & Pick<Config, 'newAccountDayCap'>,
  { name, clientId = `acc${randomLetters(10).toLowerCase()}`, ...given }: NewAccount,
): Promise<CreatedAccount> {
  const settings = changeSettings(defaultSettings, given)
  const dayCap = config.newAccountDayCap === 0 ? null : config.newAccountDayCap
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await audit.change(async (transaction) => {
    for (const right of rightsFor(defaultSettings, settings, config)) await audit.requireRight(right)
    if ((await findAccountId(transaction, clientId)) !== null)
      throw new OperationError(
        'already-exists',
        `client ID '${clientId}' is already in use; choose another`,
        {
          field: 'clientId',
          facts: { resource: 'account', id: clientId },
        },
      )
    await requireSystemId(transaction, clientId, settings)
    const id = await insertAccount(transaction, { clientId, name, passwordHash, ...settings })
    if (dayCap !== null) await setCap(transaction, id, { period: 'day', class: 'all', max: dayCap })
    const details = { name, ...settings, dayCap }
    return [null, { target: clientId, account: clientId, details }]
  })
  return { clientId, password, dayCap }
}

export function setAccount(
  audit: ActAudit,
  config: ConfiguredLimits,
  clientId: string,
  change: SettingsChange,
): Promise<Account> {
  return audit.change(async (transaction) => {
    if (change.limits !== undefined || change.eraseAfterDays !== undefined)
      audit.requireReason('a change of limits or of erasure')
    const before = await lockAccount(transaction, clientId)
    const after = changeSettings(before, change)
    if (after.smppBinds > before.smppBinds) audit.requireReason('more binds over SMPP')
    for (const right of rightsFor(before, after, config)) await audit.requireRight(right)
    await requireSystemId(transaction, clientId, after)
    await updateSettings(transaction, clientId, after)
    if (before.smppBinds === 0 && after.smppBinds > 0) {
      // It is owed no receipt of what was reported before.
      await beginSmppConsumer(transaction, reportFeed, before.id)
    }
    const details = changesBetween(before, after)
    return [after, { target: clientId, account: clientId, details }]
  })
}

/** An account that may bind needs an id that fits, and that is not another's. */
async function requireSystemId(
  transaction: Queryable,
  clientId: string,
  { smppBinds, smppSystemId }: AccountSettings,
): Promise<void> {
  if (smppBinds === 0 && smppSystemId === null) return
  const systemId = getSystemId({ clientId, smppSystemId })
  if (systemId === null)
    throw wrongField(
      'smppSystemId',
      `is required: client ID '${clientId}' is longer than the ${maxSystemId} characters of a system_id`,
    )
  const owner = await findSystemIdOwner(transaction, systemId, clientId)
  if (owner !== null)
    throw new OperationError(
      'already-exists',
      `account '${owner}' already uses the system_id '${systemId}'; choose another`,
      { field: 'smppSystemId', facts: { resource: 'system_id', id: systemId, account: owner } },
    )
}

/**
 * What a change needs besides the right to change settings: it raises or lifts a limit, of binds too, puts the account before others,
 * or erases what is stored already.
 */
export function rightsFor(
  before: AccountSettings,
  after: AccountSettings,
  configured: ConfiguredLimits,
): Right[] {
  const { eraseAfterDays: former } = before
  const { eraseAfterDays: days } = after
  const lifts = families.some((family) => {
    const usual = configured[`${family}Limit`]
    return raises(before.limits[family] ?? usual, after.limits[family] ?? usual)
  })
  const erases = days !== null && (former === null || days < former)
  // Unlike the other limits, 0 binds are none.
  const needsTrust = lifts || after.smppBinds > before.smppBinds || prefers(before, after)
  return [...(needsTrust ? (['trust'] as const) : []), ...(erases ? (['erase'] as const) : [])]
}

/** By how many of the messages go before those of others. */
const precedence: readonly (readonly (UsualLane | null)[])[] = [
  ['bulk'],
  ['codes'],
  ['normal', null],
  ['urgent'],
]

/** More of its messages go before those of others, or it has a larger share. */
function prefers(before: AccountSettings, after: AccountSettings): boolean {
  const rankOf = ({ lane }: AccountSettings): number => precedence.findIndex((same) => same.includes(lane))
  return after.weight > before.weight || rankOf(after) > rankOf(before)
}

/** 0 is no limit. */
function raises(before: number, after: number): boolean {
  return before !== 0 && (after === 0 || after > before)
}

/** Returns `before` with the settings that are given. */
export function changeSettings<Settings extends AccountSettings>(
  before: Settings,
  { polling = before.mayPoll, limits, ...others }: SettingsChange,
): Settings {
  return { ...before, ...others, mayPoll: polling, limits: { ...before.limits, ...limits } }
}
