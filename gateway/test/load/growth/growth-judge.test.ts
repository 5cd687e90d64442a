import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPartitions, checkTableGrowth } from './growth-judge.ts'
import type { DayEnd, Moment } from './growth-samples.ts'

const moment = (at: string, ...days: string[]): Moment => ({
  minute: 0,
  at: new Date(at),
  open: 0,
  waiting: 0,
  queued: 0,
  intakeQueueSeconds: 0,
  days: { messages: days, attempts: days, reports: days },
})
const evening = moment('2026-11-15T23:59:58Z', '20261114', '20261115', '20261116')

test('partitions created before their day and dropped on time pass', () => {
  const midnight = moment('2026-11-16T00:00:01Z', '20261114', '20261115', '20261116')
  const soon = moment('2026-11-16T00:00:30Z', '20261115', '20261116', '20261117')
  assert.deepEqual(checkPartitions([evening, midnight, soon], 1), [])
})

test('missing, late and expired partitions are findings', () => {
  const midnight = moment('2026-11-16T00:00:01Z', '20261114', '20261115')
  const later = moment('2026-11-16T00:00:30Z', '20261114', '20261115', '20261116')
  const next = moment('2026-11-16T00:02:00Z', '20261115', '20261116', '20261117')
  const findings = checkPartitions([evening, midnight, later, next], 1).filter((text) =>
    text.startsWith('messages'),
  )
  assert.deepEqual(findings, [
    'messages of 20261116 was missing on 20261116',
    'messages of 20261117 was not created in the first seconds of 20261116',
    'messages of 20261114 was kept on 20261116',
  ])
})

test('reports of the last expired day may stay for one hour after midnight', () => {
  const kept = ['20261115', '20261116', '20261117']
  const at = (time: string, reports: string[]): Moment => {
    const found = moment(`2026-11-16T${time}Z`, ...kept)
    return { ...found, days: { ...found.days, reports } }
  }
  const midnight = moment('2026-11-16T00:00:01Z', '20261114', ...kept)
  assert.deepEqual(checkPartitions([midnight, at('00:59:00', ['20261114', ...kept])], 1), [])
  assert.deepEqual(checkPartitions([midnight, at('01:01:00', ['20261114', ...kept])], 1), [
    'reports of 20261114 was kept on 20261116',
  ])
  assert.deepEqual(checkPartitions([midnight, at('00:59:00', ['20261113', ...kept])], 1), [
    'reports of 20261113 was kept on 20261116',
  ])
})

test('a table that is larger in the second half is a finding', () => {
  const ends = [1, 2, 3, 10].map((megabytes): DayEnd => ({
    day: '20261115',
    messages: 1,
    databaseBytes: 0,
    partitions: [],
    gap: 0,
    tables: { waiting: { bytes: megabytes * 1e6, dead: 0 }, leases: { bytes: 8_192, dead: 3 } },
  }))
  assert.deepEqual(checkTableGrowth(ends), ['table waiting grew from 2.0 MB to 10.0 MB'])
  assert.deepEqual(checkTableGrowth(ends.slice(0, 3)), [])
})
