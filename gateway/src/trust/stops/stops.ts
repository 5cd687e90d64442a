/**
 * Stopped accounts: nothing that a blocked account has accepted is submitted. Judged before every other rule. Over the
 * blocked accounts in memory, which follow a change within two seconds.
 */
import { loadStopped, type Backlog } from '../../accounts/stops.ts'
import type { Denial, RuleGroup } from '../rule-group.ts'

/** Undefined: the account is not stopped. */
export type StopOf = (accountId: number) => Backlog | undefined

export interface Stops extends RuleGroup {
  readonly stopOf: StopOf
  readonly stopped: () => ReadonlyMap<number, Backlog>
}

/** A held step is judged again after this long, unless a worker has put it aside before. */
export const heldAgainAfterMs = 5_000

const closing: Denial = {
  ...{ verdict: 'fail', rule: 'account-stopped', cause: 'account-stopped' },
  text: 'the account is blocked',
}

/** Tests give the stopped accounts. */
export function createStops(given: ReadonlyMap<number, Backlog> = new Map()): Stops {
  let stopped = given
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
