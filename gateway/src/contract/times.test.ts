import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTimeFormat } from './times.ts'

const table: [zone: string, instant: string, written: string][] = [
  ['Asia/Seoul', '2026-11-14T15:30:00.999Z', '2026-11-15T00:30:00+09:00'],
  ['Asia/Seoul', '2026-12-31T15:00:00Z', '2027-01-01T00:00:00+09:00'],
  ['UTC', '2026-11-14T15:30:00Z', '2026-11-14T15:30:00+00:00'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z', '2026-06-01T05:45:00+05:45'],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00-03:30'],
  // The hour that summer time skips, and the hour that occurs twice.
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  // Lord Howe moves its clocks by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05T01:59:59+11:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:30:00+10:30'],
]
for (const [zone, instant, written] of table) {
  test(`${instant} in ${zone} is ${written}`, () => {
    assert.equal(createTimeFormat(zone)(new Date(instant)), written)
  })
}

for (const zone of ['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'UTC']) {
  test(`formats every instant correctly in ${zone}, whatever was formatted before`, () => {
    const format = createTimeFormat(zone)
    const moment = fc.date({
      min: new Date('2015-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moment, (time) => {
        const written = format(time)
        assert.match(written, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
        assert.equal(Date.parse(written), Math.floor(time.getTime() / 1000) * 1000)
      }),
    )
  })
}

test('rejects an unknown zone', () => {
  assert.throws(() => createTimeFormat('Asia/Seul'), RangeError)
})
