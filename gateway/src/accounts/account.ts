/** An account as the hot path knows it: everything a request needs, and no password. */
export interface Account {
  readonly id: number
  readonly clientId: string
  readonly name: string
  readonly blocked: boolean
  readonly mayPoll: boolean
  /** Reports carry resCnt. */
  readonly partCounts: boolean
  readonly tokenEpoch: number
}

export interface AccountCredentials extends Account {
  readonly passwordHash: string
}
