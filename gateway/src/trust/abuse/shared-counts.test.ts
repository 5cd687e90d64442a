/** Counts that several processes share: together they count to the limit, and publish nothing of keys that are far from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyHash, hashOf } from './key-hash.ts'
import { readReport, sharedSeed } from './share-counts.ts'
import { SharedCounts } from './shared-counts.ts'

const hourMs = 3_600_000
const start = 1_000 * hourMs

function openProcesses(count: number): SharedCounts[] {
  return Array.from({ length: count }, () => {
    const counts = new SharedCounts(hourMs)
    counts.processes = count
    return counts
  })
}

/** Returns how many sums were sent. */
function exchange(processes: readonly SharedCounts[], now: number): number {
  const sent = processes.map((one) => one.takeSums(now, 2_000))
  processes.forEach((one, own) =>
    sent.forEach((sums, other) => other !== own && one.receive(`p${other}`, sums, now)),
  )
  return sent.flat().length
}

function send(counts: SharedCounts, key: string, now: number, limit: number): boolean {
  if (counts.isReached(1, key, now, limit)) return false
  counts.add(1, key, now)
  return true
}

test('whatever process a message comes to, all together accept as many as the limit', () => {
  const use = fc.record({ process: fc.nat(3), key: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(fc.array(use, { maxLength: 150 }), fc.integer({ min: 1, max: 25 }), (uses, limit) => {
      const processes = openProcesses(4)
      const accepted = new Map<string, number>()
      for (const { process, key } of uses) {
        const before = accepted.get(key) ?? 0
        const isAccepted = send(processes[process]!, key, start, limit)
        assert.equal(isAccepted, before < limit, `${before} of ${limit}`)
        if (isAccepted) accepted.set(key, before + 1)
        // Others publish what they have of a key once one of them has published its own.
        exchange(processes, start)
        exchange(processes, start)
      }
    }),
    { numRuns: 100 },
  )
})

test('keys that are far from their limit are not published, and nothing is while a process is alone', () => {
  const processes = openProcesses(2)
  for (let n = 0; n < 1_000; n++) send(processes[n % 2]!, `number ${n}`, start, 20)
  assert.equal(exchange(processes, start), 0)
  const [alone] = openProcesses(1)
  for (let n = 0; n < 25; n++) assert.equal(send(alone!, 'often', start, 20), n < 20)
  assert.deepEqual(alone!.takeSums(start, 2_000), [])
})

test('a sum is published again after some seconds and not before, and one that is not repeated is forgotten', () => {
  const [one, other] = openProcesses(2) as [SharedCounts, SharedCounts]
  for (let n = 0; n < 20; n++) send(one, 'often', start, 20)
  const sums = one.takeSums(start, 2_000)
  assert.deepEqual(sums, [[1, hashOf(1, 'often'), 20]])
  other.receive('one', sums, start)
  assert.deepEqual(one.takeSums(start + 1_000, 2_000), [])
  assert.equal(one.takeSums(start + 6_000, 2_000).length, 1)
  assert.equal(other.isReached(1, 'often', start + 10_000, 20), true)
  assert.equal(other.isReached(1, 'often', start + 16_000, 20), false, 'the other process has stopped')
  other.forgetOld(start + 16_000)
})

test('what leaves the window is published as well', () => {
  const [one, other] = openProcesses(2) as [SharedCounts, SharedCounts]
  for (let n = 0; n < 20; n++) send(one, 'often', start, 20)
  exchange([one, other], start)
  assert.equal(other.isReached(1, 'often', start, 20), true)
  exchange([one, other], start + 2 * hourMs)
  assert.equal(other.isReached(1, 'often', start + 2 * hourMs, 20), false)
})

test('what one process keeps for others is bounded, and the newest of it is published', () => {
  const [one] = openProcesses(2) as [SharedCounts, SharedCounts]
  const takeAll = (): Map<number, number> => {
    const accounts = new Map<number, number>()
    for (let sums = one.takeSums(start, 2_000); sums.length > 0; sums = one.takeSums(start, 2_000)) {
      assert.ok(sums.length <= 2_000)
      for (const [accountId] of sums) accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1)
    }
    return accounts
  }
  for (let n = 0; n < 5_000; n++) send(one, `number ${n}`, start, 1)
  const ofOne = takeAll().get(1)!
  assert.ok(ofOne >= 1_000 && ofOne <= 2_000, `one account leaves room for others, and has ${ofOne}`)
  for (let accountId = 2; accountId < 30; accountId++)
    for (let n = 0; n < 1_000; n++) {
      one.isReached(accountId, `number ${n}`, start, 1)
      one.add(accountId, `number ${n}`, start)
    }
  const accounts = takeAll()
  const all = [...accounts.values()].reduce((sum, count) => sum + count)
  assert.ok(all >= 5_000 && all <= 10_000, String(all))
  assert.equal(accounts.get(29), 1_000)
})

test('what is received from the others is bounded: the oldest make room for the newest, and nothing stays that is not repeated', () => {
  const [one] = openProcesses(3) as [SharedCounts]
  const receive = (process: string, from: number, to: number, now: number): void =>
    one.receive(
      process,
      Array.from({ length: to - from }, (_, n) => [1, hashOf(1, `number ${from + n}`), 20] as const),
      now,
    )
  const isKnown = (n: number, now = start): boolean => one.isReached(1, `number ${n}`, now, 20)
  receive('a', 0, 50_000, start)
  assert.deepEqual([one.known, isKnown(0)], [50_000, true])
  // In use: it is received again.
  receive('b', 0, 1, start)
  receive('a', 50_000, 60_000, start)
  assert.ok(one.known <= 50_000, String(one.known))
  assert.deepEqual([isKnown(0), isKnown(1), isKnown(59_999)], [true, false, true])

  receive('b', 0, 1, start + 10_000)
  one.forgetOld(start + 16_000)
  assert.deepEqual([one.known, isKnown(0, start + 16_000)], [1, true])
  one.forgetOld(start + 26_000)
  assert.deepEqual([one.known, isKnown(0, start + 26_000)], [0, false])
})

test('two full tables do not publish the same to each other without end', () => {
  const processes = openProcesses(2)
  for (const one of processes)
    for (let accountId = 1; accountId <= 7; accountId++)
      for (let n = 0; n < 2_000; n++) {
        for (let message = 0; message < 6; message++) one.add(accountId, `number ${n}`, start)
        one.isReached(accountId, `number ${n}`, start, 20)
      }
  let rounds = 0
  while (exchange(processes, start) > 0) assert.ok(++rounds < 50, 'they go on')
  assert.ok(rounds >= 5, `${rounds} reports of 2,000`)
})

test('a limit holds also while very many other keys are near theirs', () => {
  const processes = openProcesses(2)
  for (const one of processes)
    for (let accountId = 2; accountId < 8; accountId++)
      for (let n = 0; n < 2_000; n++) {
        for (let message = 0; message < 5; message++) one.add(accountId, `number ${n}`, start)
        one.isReached(accountId, `number ${n}`, start, 20)
      }
  let now = start
  for (let round = 0; round < 10; round++) exchange(processes, now)
  let accepted = 0
  for (let n = 0; n < 40; n++) {
    if (send(processes[n % 2]!, 'victim', now, 20)) accepted++
    now += 1_000
    for (let round = 0; round < 5; round++) exchange(processes, now)
  }
  assert.equal(accepted, 20)
})

test('with more processes than half of the limit a first message is not published', () => {
  const processes = openProcesses(11)
  for (let n = 0; n < 1_000; n++) send(processes[n % 11]!, `number ${n}`, start, 20)
  assert.equal(exchange(processes, start), 0)
  const accepted = Array.from({ length: 60 }, (_, n) => {
    const isAccepted = send(processes[n % 11]!, 'often', start, 20)
    exchange(processes, start)
    exchange(processes, start)
    return isAccepted
  })
  assert.equal(accepted.filter(Boolean).length, 20)
})

test('what a process has counted alone is published to one that starts', () => {
  const [one, other] = [openProcesses(1)[0]!, openProcesses(2)[0]!]
  for (let n = 0; n < 20; n++) assert.equal(send(one, 'often', start, 20), true)
  assert.deepEqual(one.takeSums(start, 2_000), [])
  let calls = 0
  one.onNear = () => calls++
  one.processes = 2
  assert.equal(calls, 1, 'it is published at once')
  exchange([one, other], start)
  assert.equal(send(other, 'often', start, 20), false)
})

test('processes with the same secret have the same hashes, and others do not', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((secret) => createKeyHash(sharedSeed(secret)))
  assert.equal(one!(1, '01012345678'), same!(1, '01012345678'))
  assert.notEqual(one!(1, '01012345678'), other!(1, '01012345678'))
})

test('a report that is not one of ours is not read', () => {
  const report = { v: 1, process: 'a', recipients: [[1, 2, 3]], prefixes: [] }
  assert.deepEqual(readReport(report), report)
  for (const wrong of [
    ...[null, 1, { ...report, v: 2 }, { ...report, process: 7 }, { ...report, recipients: [[1, 2]] }],
    ...[
      { ...report, prefixes: [[1, 2, -3]] },
      { ...report, recipients: Array(2_001).fill([1, 2, 3]) },
    ],
  ])
    assert.equal(readReport(wrong), undefined)
})
