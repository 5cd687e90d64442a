/** Times are right around a change of the offset, although it is read only once per quarter of an hour. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMinutes } from './window.ts'
import { timeInZone } from './zone.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

for (const [timeZone, change] of [
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Europe/Paris', '2027-03-28T01:00:00Z'],
  // Changes by half an hour.
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
  ['Asia/Kolkata', '2026-12-31T18:30:00Z'],
] as const)
  test(`matches a clock in ${timeZone}`, () => {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, ...parts })
    const around = Date.parse(change)
    for (let at = around - 12 * 3_600_000; at < around + 12 * 3_600_000; at += 7 * 60_000 + 1) {
      const { day, minutes } = timeInZone(at, timeZone)
      assert.equal(`${days[day]} ${formatMinutes(minutes)}`, clock.format(at).replace(',', ''))
    }
  })
