/**
 * `node gateway/test/model/trust/speed.ts` measures the time of a check with all rules enabled and the memory
 * for 10,000 accounts with ten senders each, then the CPU time, including garbage collection, of an account
 * that sends to a new number each time. Prints the best of several batches, because other processes share the
 * machine.
 */
import { Issues } from '../../../src/channels/issues.ts'
import type { Step } from '../../../src/channels/channel.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { RouteShare } from '../../../src/carriers/routes/shares.ts'
import { defaultAccountTrust, type AccountTrust } from '../../../src/trust/accounts.ts'
import { createAbuse } from '../../../src/trust/abuse/abuse.ts'
import { createFindPeriodStart, Caps } from '../../../src/trust/abuse/caps.ts'
import { defaultProtection, type Cap, type ProtectedAccount } from '../../../src/trust/abuse/protection.ts'
import { createPolicy } from '../../../src/trust/policy.ts'
import { createRuleGroups, RuleData } from '../../../src/trust/rule-groups.ts'
import { switchedRules } from '../../../src/trust/rules.ts'
import { SenderIndex } from '../../../src/trust/senders/sender-index.ts'
import { createStoppedBatches } from '../../../src/trust/batches/stopped-batches.ts'
import { createBlockedAccounts } from '../../../src/trust/blocked-accounts/blocked-accounts.ts'
import { openTestBlindIndex } from '../../support/blind-index.ts'
import { acceptedJob, routeJob } from '../../support/fixtures.ts'
import { silentLog } from '../../support/silent-log.ts'
import { createMemoryCapStore } from './memory-cap-store.ts'
import { createMemoryLimiter } from './memory-limiter.ts'

const accounts = 10_000
const createNumber = (account: number, nth: number): string => `02${3_000_000 + account}${nth}`

const before = memory()
const index = new SenderIndex()
for (let account = 1; account <= accounts; account++)
  index.apply({
    version: '1',
    senders: Array.from({ length: 10 }, (_, nth) => ({
      accountId: account,
      kind: 'number',
      value: createNumber(account, nth),
      state: 'active',
      validUntil: null,
      createdAt: new Date(account),
    })),
  })
const megabytes = (memory() - before) / 1e6

const state = {
  rules: new Set(switchedRules),
  accounts: new Map<number, AccountTrust>(
    Array.from({ length: accounts }, (_, nth) => [
      nth + 1,
      { kind: 'customer', sandbox: false, originCodes: ['200000001'] },
    ]),
  ),
}
const originCode = '100000001'
const protections = new Map<number, ProtectedAccount>(
  Array.from({ length: accounts }, (_, nth) => [
    nth + 1,
    { ...defaultProtection, links: 'listed', linkDomains: ['shop.kr'], recipientPerHour: 1_000_000 },
  ]),
)
const abuse = createAbuse({ accounts: protections })
const data = new RuleData({ senders: index })
const noIndex = (): Promise<never> => Promise.reject(new Error('no recipient has opted out'))
const shared = {
  settings: { originCode },
  blockedAccounts: createBlockedAccounts(),
  stoppedBatches: createStoppedBatches(),
  data,
  openBlindIndex: noIndex,
}
const groups = createRuleGroups({ ...shared, abuse })
const policy = createPolicy({ groups, originCode, state: () => state })
const route = { protocol: 'smpp', options: {} } as RouteShare
const drafts = Array.from({ length: accounts }, (_, nth) => {
  const steps: Step[] = [{ channel: 'sms', from: createNumber(nth + 1, nth % 10), text: 'hello' }]
  return { accountId: nth + 1, draft: { to: '01012345678', steps } }
})
const jobs = drafts.map(({ accountId, draft }) => routeJob(acceptedJob({ accountId, steps: draft.steps })))
const getPath = (): string => ''
const now = Date.now()

function measure(label: string, check: (nth: number) => void): void {
  let best = Infinity
  for (let batch = 0; batch < 30; batch++) {
    const began = performance.now()
    for (let nth = 0; nth < accounts; nth++) check(nth)
    best = Math.min(best, ((performance.now() - began) * 1000) / accounts)
  }
  process.stdout.write(`${label}  ${best.toFixed(2)} µs\n`)
}

measure('checkDraft, one step', (nth) => {
  const { accountId, draft } = drafts[nth]!
  const issues = new Issues('first')
  policy.checkDraft(accountId, { draft, getPath, issues }, now)
  if (issues.first !== undefined) throw issues.first
})
measure('checkSubmission     ', (nth) => {
  if (policy.checkSubmission(jobs[nth]!, route, now) !== null) throw new Error('stopped')
})
process.stdout.write(`${accounts * 10} senders  ${megabytes.toFixed(0)} MB\n`)

const cap = (period: 'day' | 'month', name: string): Cap => ({ period, class: name, max: 1_000_000_000 })
const busy = createAbuse({
  velocity: { limiter: createMemoryLimiter(() => performance.now()), openBlindIndex: openTestBlindIndex },
  caps: new Caps({
    store: createMemoryCapStore(),
    findPeriodStart: createFindPeriodStart('Asia/Seoul'),
    log: silentLog,
  }),
  accounts: new Map([
    [
      1,
      {
        ...protections.get(1)!,
        prefixPer10Minutes: 1_000_000,
        caps: [cap('day', 'all'), cap('month', 'all'), cap('day', 'sms'), cap('month', 'sms')],
      },
    ],
  ]),
})
const busyGroups = createRuleGroups({ ...shared, abuse: busy })
const busyPolicy = createPolicy({ groups: busyGroups, originCode, state: () => state })
const sendsPerBatch = 50_000
let bestMicros = Infinity
for (let batch = 0; batch < 10; batch++) {
  const before = process.cpuUsage()
  for (let n = 0; n < sendsPerBatch; n++) await sendToNew(batch * sendsPerBatch + n)
  const { user, system } = process.cpuUsage(before)
  // The first batches fill the tables and do not count.
  if (batch > 4) bestMicros = Math.min(bestMicros, (user + system) / sendsPerBatch)
}
process.stdout.write(`an SMS to a new number, counted, with four caps  ${bestMicros.toFixed(1)} µs of CPU\n`)

async function sendToNew(n: number): Promise<void> {
  const to = `010${String(n % 10_000).padStart(4, '0')}1${String(Math.floor(n / 10_000)).padStart(3, '0')}`
  const text = '[Shop] 인증번호는 482913 입니다. 3분 안에 입력해 주세요.'
  const draft = { to, steps: [{ channel: 'sms', from: createNumber(1, 0), text }] as const }
  const issues = new Issues('first')
  busyPolicy.checkDraft(1, { draft, getPath, issues }, now)
  issues.throwFirst()
  const context = { accountId: 1, account: defaultAccountTrust, rules: state.rules, now }
  const counted = await busy.countDraft(context, draft, () => undefined)
  if (counted instanceof Problem) throw counted
}

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
