import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMeasured, stages, type Costs } from './measured.ts'
import { limits, plan } from './model.ts'

const costs: Costs = {
  perSecond: 4000,
  cpuMicros: { api: 60, worker: 120, rabbitmq: 40, postgres: 100, redis: 0 },
  postgres: { walBytes: 2000, commits: 0.05, storedBytes: 1000 },
  rabbitmq: { writtenBytes: 1000 },
}
const demand = { rate: 10_000, days: 30, averageShare: 0.1 }
const needOf = (name: string, of = demand): number =>
  plan(costs, of).resources.find((resource) => resource.name === name)!.need

test('processes and cores follow from CPU time a message', () => {
  assert.equal(needOf('API processes'), Math.ceil(0.6 / limits.utilisation))
  assert.equal(needOf('workers'), 2)
  assert.equal(needOf('PostgreSQL CPU'), 1)
  assert.equal(needOf('PostgreSQL WAL'), 20)
  assert.equal(needOf('PostgreSQL commits'), 500)
})

test('the disk follows from the average rate and the retention', () => {
  assert.equal(needOf('PostgreSQL disk').toFixed(3), '2.592')
  assert.equal(needOf('PostgreSQL disk', { ...demand, days: 60 }).toFixed(3), '5.184')
})

test('the largest share of a limit decides the number of cells', () => {
  const large = plan(costs, { ...demand, rate: 200_000 })
  assert.equal(large.first, 'PostgreSQL disk')
  assert.equal(large.cells, Math.ceil(51.84 / (limits.postgresTerabytes * limits.utilisation)))
  const small = plan(costs, { ...demand, rate: 1_000 })
  assert.equal(small.cells, 1)
  // A cell at its own limit needs exactly one cell.
  assert.equal(plan(costs, { ...demand, rate: Math.floor(large.cellRate) }).cells, 1)
})

test('the stored measurement has every figure, its machine and its date', () => {
  const measured = readMeasured()
  assert.match(measured.date, /^\d{4}-\d\d-\d\d$/)
  for (const stage of stages) assert.equal(typeof measured.cpuMicros[stage], 'number')
  for (const figure of [measured.postgres.walBytes, measured.postgres.storedBytes, measured.perSecond])
    assert.ok(figure > 0)
})
