import { createSecretKey } from 'node:crypto'
import { createBlindIndex, type BlindIndex } from '../../../../src/platform/encryption/blind-index.ts'
import { createAbuse } from '../../../../src/trust/abuse/abuse.ts'
import { Caps } from '../../../../src/trust/abuse/caps.ts'
import { AdvertisingAccounts } from '../../../../src/trust/advertising/accounts.ts'
import { createPolicy } from '../../../../src/trust/policy.ts'
import { everyChannel } from '../../../../src/trust/quiet-hours/choices.ts'
import { QuietHoursTable } from '../../../../src/trust/quiet-hours/settings.ts'
import { createRuleGroups, RuleData } from '../../../../src/trust/rule-groups.ts'
import { createStoppedBatches } from '../../../../src/trust/batches/stopped-batches.ts'
import { createBlockedAccounts } from '../../../../src/trust/blocked-accounts/blocked-accounts.ts'
import { ChoiceIndex } from '../../../../src/trust/suppression/choice-index.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { createMemoryCapStore } from '../memory-cap-store.ts'
import { createMemoryLimiter } from '../memory-limiter.ts'
import { accountIds, type Setup } from './events.ts'
import { findPeriodStart, ReferencePolicy } from './reference.ts'

const originCode = '100000001'
const hashes = createBlindIndex(createSecretKey(Buffer.alloc(32, 7)))
const hashCache = new Map<string, Buffer>()
/** Caches hashes for all histories, which have few accounts and recipients. */
export const blindIndex: BlindIndex = {
  of(recipient, accountId) {
    const key = `${recipient}/${accountId ?? ''}`
    let hash = hashCache.get(key)
    if (hash === undefined) hashCache.set(key, (hash = hashes.of(recipient, accountId)))
    return hash
  },
}

/**
 * Creates the policy under test and a reference model on the same accounts. The events of a history change
 * both.
 */
export function createPolicyAndReference(setup: Setup) {
  const accounts = new Map(accountIds.map((id, nth) => [id as number, setup.accounts[nth]!]))
  const reference = new ReferencePolicy(accounts)
  setup.rules.forEach((rule) => reference.rules.add(rule))
  const advertising = new Map([...accounts].map(([id, account]) => [id, account.advertising]))
  const data = new RuleData({
    advertising: new AdvertisingAccounts(advertising),
    choices: new ChoiceIndex(blindIndex),
    quietHours: new QuietHoursTable(
      [...accounts].map(([accountId, { night }]) => ({
        accountId,
        clientId: null,
        channel: everyChannel,
        // Minutes after midnight: 08:00 and 20:50.
        opensAt: 480,
        closesAt: 1_250,
        choice: night,
      })),
    ),
  })
  const caps = new Caps({ store: createMemoryCapStore(), findPeriodStart, log: silentLog })
  const protections = new Map([...accounts].map(([id, { protection }]) => [id, protection]))
  const abuse = createAbuse({
    caps,
    accounts: protections,
    velocity: {
      limiter: createMemoryLimiter(() => reference.now),
      openBlindIndex: () => Promise.resolve(blindIndex),
    },
  })
  const groups = createRuleGroups({
    settings: { originCode },
    blockedAccounts: createBlockedAccounts(reference.blocked),
    stoppedBatches: createStoppedBatches(),
    abuse,
    data,
    openBlindIndex: () => Promise.resolve(blindIndex),
  })
  const trust = new Map([...accounts].map(([id, account]) => [id, account.trust]))
  const readTrust = () => ({ rules: reference.rules, accounts: trust })
  const policy = createPolicy({ groups, originCode, state: readTrust })
  return { accounts, reference, data, advertising, protections, abuse, caps, policy, readTrust }
}
