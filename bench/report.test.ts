import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHardware } from '../tools/dev/hardware.ts'
import { parseOptions } from './options.ts'
import { render, summarize, sumOwnCpu } from './report.ts'
import { median, type Round } from './rounds.ts'

const round = (perSecond: number, api: number): Round => ({
  perSecond,
  messages: 1000,
  seconds: 1000 / perSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpu: { 'gateway api': api, rabbitmq: 10_000, machine: 99_000_000 },
  disturbance: 0,
})

test('computes medians of rounds, and CPU per message over all of them', () => {
  const rounds = {
    ours: [round(90, 40_000), round(100, 40_000), round(500, 40_000)],
    bare: [round(100, 15_000), round(200, 15_000), round(400, 15_000)],
    grouped: [round(200, 5_000), round(400, 5_000), round(800, 5_000)],
  }
  const summary = summarize({ unit: 'x', rounds, notes: [] }, readHardware())
  assert.equal(summary.ours, 100)
  assert.equal(summary.bare, 200)
  assert.equal(summary.ratio, 0.5)
  assert.equal(summary.pairedRatio, 0.9)
  assert.deepEqual(summary.sides.ours.cpuMicros, { 'gateway api': 40, rabbitmq: 10 })
  assert.equal(summary.cpuRatio, 0.5)
  assert.equal(summary.grouped, 400)
  assert.deepEqual(summary.toGrouped, { ratio: 0.25, pairedRatio: 0.45, cpuRatio: 0.3, ownCpuRatio: 5 })
})

test('counts the own processes of a variant and the engines', () => {
  const cpuMicros = {
    'gateway api': 1,
    'bare accept': 20,
    'bare worker': 30,
    postgres: 400,
    simulator: 5_000,
  }
  assert.equal(sumOwnCpu('ours', { cpuMicros }), 401)
  assert.equal(sumOwnCpu('bare', { cpuMicros }), 450)
})

test('keeps the ratio of every variant', () => {
  const rounds = { ours: [round(100, 1)], bare: [round(200, 1)], grouped: [round(250, 1)] }
  const omni = {
    unit: 'y',
    rounds: { ours: [round(90, 1)], bare: [round(100, 1)], grouped: [round(120, 1)] },
    notes: ['a note'],
  }
  const summary = summarize({ unit: 'x', rounds, notes: [], variants: { omni } }, readHardware())
  assert.equal(summary.ratio, 0.5)
  assert.equal(summary.variants?.['omni']?.ratio, 0.9)
  const text = render('accept', summary)
  assert.match(text, /accept: x[^]*0\.50 +0\.40[^]*accept omni: y[^]*0\.90 +0\.75[^]*a note/)
})

test('the median of an even count is between the middle two', () => {
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(median([3]), 3)
})

test('runs both scenarios by default, and rejects unknown ones', () => {
  const options = parseOptions([])
  assert.ok(options !== 'help')
  assert.deepEqual(options.scenarios, ['accept', 'pipeline'])
  assert.equal(options.rounds, 5)
  assert.throws(() => parseOptions(['raod']), /raod/)
  assert.throws(() => parseOptions(['--rounds', '0']), /--rounds/)
  assert.throws(() => parseOptions(['--messages', 'many']), /--messages/)
  assert.throws(() => parseOptions(['--nonsense']), /nonsense/)
})
