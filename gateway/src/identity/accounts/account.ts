/** An account as requests use it: its settings without its password. */
import type { LaneSetting } from '../../channels/lane.ts'

/** Families of endpoints that share one rate limit. */
export const endpointFamilies = ['send', 'report', 'file', 'form'] as const
export type EndpointFamily = (typeof endpointFamilies)[number]

/** Requests per second; `null` is the configured default, 0 means no limit. */
export type AccountLimits = Readonly<Record<EndpointFamily, number | null>>

/**
 * 'plain' reports contain exactly the keys of the contract, 'minimal' reports only those that every published
 * client knows: some reject keys of the contract.
 */
export const reportKeys = ['full', 'plain', 'minimal'] as const
export type ReportKeys = (typeof reportKeys)[number]

/**
 * Whether the next step of a flow starts if the delivery of a step is unknown. `after-timeout`: only if the
 * carrier accepted it and no receipt arrived by its deadline. `never`: only after a certain failure.
 */
export const uncertainFallbacks = ['always', 'after-timeout', 'never'] as const
export type UncertainFallback = (typeof uncertainFallbacks)[number]

/** Settings that an operator may change while the account is in use. */
export interface AccountSettings {
  readonly mayPoll: boolean
  /** Adds resCnt to reports of international messages. */
  readonly partCounts: boolean
  readonly reportKeys: ReportKeys
  readonly limits: AccountLimits
  /** The lane of the account's messages; `null` derives it from the kind of message. */
  readonly lane: LaneSetting | null
  /** The weight of the account on a route while other accounts wait. */
  readonly weight: number
  /** Days between close and erasure of text and recipient; `null` erases them with the partition of the day. */
  readonly eraseAfterDays: number | null
  readonly uncertainFallback: UncertainFallback
  /** Maximum concurrent SMPP binds; 0 disables SMPP. */
  readonly smppBinds: number
  /** Defaults to the client id. */
  readonly smppSystemId: string | null
  /** Delivers replies to the SMPP binds. */
  readonly smppReplies: boolean
  /** Sends plain equivalents of characters that carriers of domestic texts cannot encode. */
  readonly smartEncoding: boolean
  /** MiB that its batches may occupy. */
  readonly batchMegabytes: number
}

export interface Account extends AccountSettings {
  readonly id: number
  readonly clientId: string
  readonly name: string
  readonly blocked: boolean
  readonly tokenEpoch: number
}

export const defaultSettings: AccountSettings = {
  mayPoll: true,
  partCounts: false,
  reportKeys: 'full',
  limits: { send: null, report: null, file: null, form: null },
  lane: null,
  weight: 1,
  eraseAfterDays: null,
  uncertainFallback: 'always',
  smppBinds: 0,
  smppSystemId: null,
  smppReplies: false,
  smartEncoding: true,
  batchMegabytes: 1_024,
}

/** The longest system_id that the protocol allows. */
export const maxSystemId = 15

/** Returns null if the client id is too long and no other id is set. */
export function getSystemId({
  clientId,
  smppSystemId,
}: Pick<Account, 'clientId' | 'smppSystemId'>): string | null {
  return smppSystemId ?? (clientId.length <= maxSystemId ? clientId : null)
}
