/**
 * Stops the submission of messages of blocked accounts. The blocked accounts in memory follow a change within
 * two seconds.
 */
import { loadBlockedAccounts, type BlockedBacklogMode } from '../../identity/accounts/blocks.ts'
import type { RuleDecision, RuleGroup } from '../rule-group.ts'

/** Returns undefined if the account is not blocked. */
export type GetBlock = (accountId: number) => BlockedBacklogMode | undefined

export interface BlockedAccounts extends RuleGroup {
  readonly getBlock: GetBlock
  readonly list: () => ReadonlyMap<number, BlockedBacklogMode>
}

/** Milliseconds after which a held step is checked again, unless a worker has suspended it. */
export const recheckDelayMs = 5_000

const closing: RuleDecision = {
  verdict: 'fail',
  rule: 'account-stopped',
  cause: 'account-stopped',
  text: 'the account is blocked',
}

export function createBlockedAccounts(
  initial: ReadonlyMap<number, BlockedBacklogMode> = new Map(),
): BlockedAccounts {
  let blocked = initial
  return {
    name: 'stops',
    async load(database) {
      blocked = await loadBlockedAccounts(database)
    },
    checkSubmission({ accountId, now }) {
      const backlog = blocked.get(accountId)
      if (backlog === undefined) return null
      return backlog === 'close'
        ? closing
        : { verdict: 'hold', rule: 'account-stopped', until: now + recheckDelayMs }
    },
    getBlock: (accountId) => blocked.get(accountId),
    list: () => blocked,
  }
}
