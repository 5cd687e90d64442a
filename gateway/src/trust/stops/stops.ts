/** Nothing of a blocked account is submitted. The blocked accounts in memory follow a change within two seconds. */
import { loadStopped, type Backlog } from '../../accounts/stops.ts'
import type { Denial, RuleGroup } from '../rule-group.ts'

/** Returns undefined if the account is not blocked. */
export type StopOf = (accountId: number) => Backlog | undefined

export interface Stops extends RuleGroup {
  readonly stopOf: StopOf
  readonly stopped: () => ReadonlyMap<number, Backlog>
}

/** A held step is checked again after this time, unless a worker has suspended it. */
export const heldAgainAfterMs = 5_000

const closing: Denial = {
  verdict: 'fail',
  rule: 'account-stopped',
  cause: 'account-stopped',
  text: 'the account is blocked',
}

export function createStops(initial: ReadonlyMap<number, Backlog> = new Map()): Stops {
  let stopped = initial
  return {
    name: 'stops',
    async load(database) {
      stopped = await loadStopped(database)
    },
    judgeSubmission({ accountId, now }) {
      const backlog = stopped.get(accountId)
      if (backlog === undefined) return null
      return backlog === 'close'
        ? closing
        : { verdict: 'hold', rule: 'account-stopped', until: now + heldAgainAfterMs }
    },
    stopOf: (accountId) => stopped.get(accountId),
    stopped: () => stopped,
  }
}
