/** The policy of a history, over data that its events change, beside the reference model of the same accounts. */
import { createSecretKey } from 'node:crypto'
import { createBlindIndex, type BlindIndex } from '../../../src/platform/encryption/blind-index.ts'
import { createAbuse } from '../../../src/trust/abuse/abuse.ts'
import { Caps } from '../../../src/trust/abuse/caps.ts'
import { AdvertisingAccounts } from '../../../src/trust/advertising/accounts.ts'
import { createPolicy } from '../../../src/trust/policy.ts'
import { everyChannel } from '../../../src/trust/quiet-hours/choices.ts'
import { QuietHoursTable } from '../../../src/trust/quiet-hours/settings.ts'
import { createRuleGroups, RuleData } from '../../../src/trust/rule-groups.ts'
import { createStops } from '../../../src/trust/stops/stops.ts'
import { ChoiceIndex } from '../../../src/trust/suppression/choice-index.ts'
import { quietLog } from '../../support/silent-log.ts'
import { createMemoryCapStore } from '../memory-cap-store.ts'
import { createMemoryLimiter } from '../memory-limiter.ts'
import { accountIds, type Setup } from './events.ts'
import { findPeriodStart, Reference } from './reference.ts'

const originCode = '100000001'
const hashes = createBlindIndex(createSecretKey(Buffer.alloc(32, 7)))
const known = new Map<string, Buffer>()
/** A few accounts and recipients: each is hashed once for all histories. */
export const blindIndex: BlindIndex = {
  of(recipient, accountId) {
    const key = `${recipient}/${accountId ?? ''}`
    let hash = known.get(key)
    if (hash === undefined) known.set(key, (hash = hashes.of(recipient, accountId)))
    return hash
  },
}

export function openWorld(setup: Setup) {
  const states = new Map(accountIds.map((id, nth) => [id as number, setup.accounts[nth]!]))
  const reference = new Reference(states)
  setup.rules.forEach((rule) => reference.rules.add(rule))
  const advertising = new Map([...states].map(([id, state]) => [id, state.advertising]))
  const data = new RuleData({
    advertising: new AdvertisingAccounts(advertising),
    choices: new ChoiceIndex(blindIndex),
    quietHours: new QuietHoursTable(
      [...states].map(([accountId, { night }]) => ({
        ...{ accountId, clientId: null, channel: everyChannel, opensAt: 480, closesAt: 1_250, choice: night },
      })),
    ),
  })
  const caps = new Caps({ store: createMemoryCapStore(), findPeriodStart, log: quietLog })
  const protections = new Map([...states].map(([id, { protection }]) => [id, protection]))
  const abuse = createAbuse({
    ...{ caps, accounts: protections },
    velocity: { limiter: createMemoryLimiter(() => reference.now), secret: 'a test' },
  })
  const groups = createRuleGroups({
    settings: { originCode },
    stops: createStops(reference.blocked),
    abuse,
    data,
    openBlindIndex: () => Promise.resolve(blindIndex),
  })
  const trust = new Map([...states].map(([id, state]) => [id, state.trust]))
  const state = () => ({ rules: reference.rules, accounts: trust })
  const policy = createPolicy({ groups, originCode, state })
  return { states, reference, data, advertising, protections, abuse, caps, policy, state }
}
