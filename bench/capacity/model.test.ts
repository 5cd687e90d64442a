import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costAt, fitCurve, type Point } from './curve.ts'
import { costsAt, readMeasured, stages, type MeasuredCosts } from './measured.ts'
import { limits, plan } from './model.ts'

const costs: MeasuredCosts = {
  perSecond: 4000,
  connections: 64,
  cpuMicros: { api: 60, worker: 120, rabbitmq: 40, postgres: 100, redis: 0 },
  postgres: { walBytes: 2000, commits: 0.05, storedBytes: 1000 },
  rabbitmq: { writtenBytes: 1000 },
}
const demand = { rate: 10_000, days: 30, averageShare: 0.1 }
const getNeed = (name: string, of = demand): number =>
  plan([costs], of).resources.find((resource) => resource.name === name)!.need

test('computes processes and cores from CPU time per message', () => {
  // 10,000 messages per second use 0.6 cores of API processes, 1.2 of workers and 1 of PostgreSQL.
  assert.equal(getNeed('API processes'), Math.ceil(0.6 / limits.utilisation))
  assert.equal(getNeed('workers'), 2)
  assert.equal(getNeed('PostgreSQL CPU'), 1)
  assert.equal(getNeed('PostgreSQL WAL'), 20)
  assert.equal(getNeed('PostgreSQL commits'), 500)
})

test('computes the disk from average rate and retention', () => {
  // 1,000 messages per second on average, each of 1,000 bytes, for 30 days, in TB.
  assert.equal(getNeed('PostgreSQL disk').toFixed(3), '2.592')
  assert.equal(getNeed('PostgreSQL disk', { ...demand, days: 60 }).toFixed(3), '5.184')
})

test('the largest share of a limit decides the number of cells', () => {
  const large = plan([costs], { ...demand, rate: 200_000 })
  assert.equal(large.first, 'PostgreSQL disk')
  assert.equal(large.cells, Math.ceil(51.84 / (limits.postgresTerabytes * limits.utilisation)))
  const small = plan([costs], { ...demand, rate: 1_000 })
  assert.equal(small.cells, 1)
  // The maximum rate of one cell needs one cell.
  assert.equal(plan([costs], { ...demand, rate: Math.floor(large.cellRate) }).cells, 1)
})

test('interpolates the cost at a rate that was not measured', () => {
  const cost = (rate: number): number => 40 + 200 / (1 + rate * 0.002)
  const curve = fitCurve([200, 1_500, 4_000].map((rate): Point => [rate, cost(rate)]))
  for (const rate of [400, 900, 2_500]) assert.ok(Math.abs(costAt(curve, rate) / cost(rate) - 1) < 0.03)
})

test('keeps costs positive, and constant beyond the measured rates', () => {
  const rising = [200, 1_500, 4_000].map((perSecond, index) => ({
    ...costs,
    perSecond,
    cpuMicros: { ...costs.cpuMicros, rabbitmq: 40 + index },
  }))
  const { rabbitmq } = costsAt(rising, 100_000).cpuMicros
  assert.ok(rabbitmq > 39 && rabbitmq < 43)
  assert.deepEqual(costsAt(rising, 100_000), costsAt(rising, 4_000))
})

test('the stored measurement contains at least three rates and its date', () => {
  const { date, points } = readMeasured()
  assert.match(date, /^\d{4}-\d\d-\d\d$/)
  assert.ok(points.length >= 3)
  for (const { cpuMicros, postgres, perSecond } of points) {
    for (const stage of stages) assert.equal(typeof cpuMicros[stage], 'number')
    for (const figure of [postgres.walBytes, postgres.storedBytes, perSecond]) assert.ok(figure > 0)
  }
})
