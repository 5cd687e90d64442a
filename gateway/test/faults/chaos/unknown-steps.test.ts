import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultRun } from './fault-runs.ts'
import { checkUnknownSteps, maxClaimed, type UnknownStep } from './unknown-steps.ts'

const faultRun = (name: string, injectedAt: number, overAt: number, leavesUnknown = true): FaultRun => ({
  fault: { name, on: ['full'], acceptsThroughout: true, leavesUnknown, lastsMs: 0, inject: async () => {} },
  injectedAt,
  countsFrom: injectedAt,
  repairedAt: overAt,
  flowingAt: overAt,
  overAt,
})
const killed = faultRun('a kill', 60_000, 70_000)
const faultRuns = [faultRun('harmless', 1_000, 2_000, false), killed]

function unknown(at: number | undefined, atCarrier = 0, parts = 1): UnknownStep {
  return {
    msgKey: 'one',
    step: 1,
    sent: { firstSentAt: at ?? 0, repliedAt: at ?? 0 },
    atCarrier,
    hasReceipts: true,
    recorded: at === undefined ? undefined : { routeId: 'carrier', parts, interrupted: true, at },
  }
}
const check = (...steps: UnknownStep[]): string => checkUnknownSteps(steps, faultRuns).join('\n')

test('a step claimed by a killed process can be unknown', () => {
  assert.equal(check(unknown(60_001), unknown(84_000)), '')
})

test('a step at another time or during another fault is a finding', () => {
  for (const at of [1_500, 59_000, 86_000, undefined])
    assert.match(check(unknown(at)), /no worker or link was lost/)
})

test('an unknown step with receipts from the carrier is a finding', () => {
  assert.match(check(unknown(61_000, 3, 3)), /sent their receipts/)
  assert.equal(check(unknown(61_000, 2, 3)), '')
  assert.equal(check({ ...unknown(61_000, 1), hasReceipts: false }), '')
})

test('more unknown parts than can be claimed ahead are a finding', () => {
  const steps = (count: number): UnknownStep[] => Array.from({ length: count }, () => unknown(61_000))
  assert.equal(check(...steps(maxClaimed)), '')
  assert.match(check(...steps(maxClaimed + 1)), /a kill: 101 parts on the route carrier were claimed/)
})

test('a step without a record is explained by the fault that lost its job', () => {
  const purged: FaultRun = { ...killed, fault: { ...killed.fault, loses: 'jobs' } }
  const sentAt = (at: number): UnknownStep => ({
    ...unknown(undefined, 1),
    sent: { firstSentAt: at, repliedAt: at },
  })
  assert.equal(checkUnknownSteps([sentAt(59_000)], [purged]).join(), '')
  assert.match(checkUnknownSteps([sentAt(40_000)], [purged]).join(), /no worker or link was lost/)
  assert.match(checkUnknownSteps([sentAt(59_000)], [killed]).join(), /no worker or link was lost/)
})
