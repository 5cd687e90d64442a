/** Account settings that operators change, with the rights and reasons that a change requires. */
import {
  defaultSettings,
  endpointFamilies,
  maxSystemId,
  getSystemId,
  type AccountLimits,
  type AccountSettings,
  type EndpointFamily,
  type Account,
} from '../../identity/accounts/account.ts'
import { generatePassword, hashPassword } from '../../identity/accounts/password.ts'
import {
  findAccountId,
  findSystemIdOwner,
  insertAccount,
  updateSettings,
} from '../../identity/accounts/queries.ts'
import { diffFields } from '../../identity/audit/diff-fields.ts'
import type { LaneSetting } from '../../channels/lane.ts'
import { randomLetters } from '../../contract/msg-key.ts'
import type { Right } from '../../identity/operators/rights.ts'
import { startSmppConsumer } from '../../records/feed/consumers.ts'
import { reportFeed } from '../../records/reports/queries.ts'
import { setCap } from '../../trust/abuse/protection.ts'
import type { Config } from '../../platform/settings/config.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { lockAccount } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField } from '../errors.ts'

/** Settings that are omitted keep their value. */
export interface SettingsChange extends Partial<Omit<AccountSettings, 'mayPoll' | 'limits'>> {
  readonly polling?: boolean
  readonly limits?: Partial<AccountLimits>
}

/** Configured limits, for accounts without their own. */
export type ConfiguredLimits = Pick<Config, `${EndpointFamily}Limit`>

export interface AccountRequest extends SettingsChange {
  readonly name: string
  readonly clientId?: string
}

export interface CreatedAccount {
  readonly clientId: string
  /** Only its hash is stored. */
  readonly password: string
  /** Maximum messages per day; null means no cap. */
  readonly dayCap: number | null
}

export async function createAccount(
  audit: AuditRecorder,
  config: ConfiguredLimits & Pick<Config, 'newAccountDayCap'>,
  { name, clientId = `acc${randomLetters(10).toLowerCase()}`, ...given }: AccountRequest,
): Promise<CreatedAccount> {
  const settings = changeSettings(defaultSettings, given)
  const dayCap = config.newAccountDayCap === 0 ? null : config.newAccountDayCap
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await audit.change(async (transaction) => {
    for (const right of findRequiredRights(defaultSettings, settings, config)) await audit.requireRight(right)
    if ((await findAccountId(transaction, clientId)) !== null)
      throw new OperationError(
        'already-exists',
        `client ID '${clientId}' is already in use; choose another`,
        { field: 'clientId', facts: { resource: 'account', id: clientId } },
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
  audit: AuditRecorder,
  config: ConfiguredLimits,
  clientId: string,
  change: SettingsChange,
): Promise<Account> {
  return audit.change(async (transaction) => {
    if (change.limits !== undefined || change.eraseAfterDays !== undefined)
      audit.requireReason('changes of limits or erasure')
    const before = await lockAccount(transaction, clientId)
    const after = changeSettings(before, change)
    if (after.smppBinds > before.smppBinds) audit.requireReason('additional SMPP binds')
    if (after.batchMegabytes > before.batchMegabytes) audit.requireReason('more storage for batches')
    for (const right of findRequiredRights(before, after, config)) await audit.requireRight(right)
    await requireSystemId(transaction, clientId, after)
    await updateSettings(transaction, clientId, after)
    if (before.smppBinds === 0 && after.smppBinds > 0) {
      // Reports made earlier are not sent as receipts.
      await startSmppConsumer(transaction, reportFeed, before.id)
    }
    const details = diffFields(before, after)
    return [after, { target: clientId, account: clientId, details }]
  })
}

/** Checks that the system_id of an account with binds or its own system_id is valid and unique. */
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
 * Returns the rights that a change requires in addition to that of changing settings: for a higher limit
 * (including binds and storage), for precedence over other accounts, or for erasing stored data.
 */
export function findRequiredRights(
  before: AccountSettings,
  after: AccountSettings,
  configured: ConfiguredLimits,
): Right[] {
  const { eraseAfterDays: daysBefore } = before
  const { eraseAfterDays: daysAfter } = after
  const raisesLimit = endpointFamilies.some((family) => {
    const configuredLimit = configured[`${family}Limit`]
    return isRaised(before.limits[family] ?? configuredLimit, after.limits[family] ?? configuredLimit)
  })
  const erasesSooner = daysAfter !== null && (daysBefore === null || daysAfter < daysBefore)
  // These are compared directly: 0 means no binds there, not unlimited.
  const raisesNumber = after.smppBinds > before.smppBinds || after.batchMegabytes > before.batchMegabytes
  const needsTrust = raisesLimit || raisesNumber || gainsPrecedence(before, after)
  return [...(needsTrust ? (['trust'] as const) : []), ...(erasesSooner ? (['erase'] as const) : [])]
}

/** Lane settings by increasing precedence over other accounts. With `codes`, only one-time codes are urgent. */
const precedence: readonly (readonly (LaneSetting | null)[])[] = [
  ['bulk'],
  ['codes'],
  ['normal', null],
  ['urgent'],
]

/** Reports whether the account gains precedence or a larger share. */
function gainsPrecedence(before: AccountSettings, after: AccountSettings): boolean {
  const getRank = ({ lane }: AccountSettings): number => precedence.findIndex((same) => same.includes(lane))
  return after.weight > before.weight || getRank(after) > getRank(before)
}

/** Reports whether a limit is raised; 0 means no limit. */
function isRaised(before: number, after: number): boolean {
  return before !== 0 && (after === 0 || after > before)
}

/** Returns `before` with the given settings applied. */
export function changeSettings<Settings extends AccountSettings>(
  before: Settings,
  { polling = before.mayPoll, limits, ...others }: SettingsChange,
): Settings {
  return { ...before, ...others, mayPoll: polling, limits: { ...before.limits, ...limits } }
}
