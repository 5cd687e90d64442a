/** An account as the hot path knows it: everything a request needs, and no password. */
import type { Lane } from '../channels/lane.ts'

/** Endpoints that are limited together. */
export const families = ['send', 'report', 'file', 'form'] as const
export type Family = (typeof families)[number]

/** Requests a second; null is the configured default, 0 is no limit. */
export type AccountLimits = Readonly<Record<Family, number | null>>

/** 'plain' is for clients that refuse keys they do not know: reports without sendTime, resCnt and userType. */
export const reportKeys = ['full', 'plain'] as const
export type ReportKeys = (typeof reportKeys)[number]

/** What an operator may change while the account is in use. */
export interface AccountSettings {
  readonly mayPoll: boolean
  /** Reports carry resCnt. */
  readonly partCounts: boolean
  readonly reportKeys: ReportKeys
  readonly limits: AccountLimits
  /** Where its messages go unless their kind says otherwise; null is by their kind. */
  readonly lane: Lane | null
  /** Its share of a route when others wait too. */
  readonly weight: number
  /** Days after its close at which a message's text and recipient are erased; 0 at once, null with its day. */
  readonly eraseAfterDays: number | null
}

export interface Account extends AccountSettings {
  readonly id: number
  readonly clientId: string
  readonly name: string
  readonly blocked: boolean
  readonly tokenEpoch: number
}

export interface AccountCredentials extends Account {
  readonly passwordHash: string
}

export const defaultSettings: AccountSettings = {
  mayPoll: true,
  partCounts: false,
  reportKeys: 'full',
  limits: { send: null, report: null, file: null, form: null },
  lane: null,
  weight: 1,
  eraseAfterDays: null,
}
