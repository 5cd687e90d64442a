/**
 * Moves the clock of this process and what it knows of the clock of PostgreSQL, like a failover to a host whose
 * clock is ahead. `now()` of SQL does not change.
 */
import type { TestContext } from 'node:test'
import { clock } from '../../../src/platform/time/clock.ts'

/** The clocks are reset at the end of the test. */
export function jumpClockAhead(t: TestContext, ms = 31 * 86_400_000): void {
  const read = Date.now
  follow(read())
  const { mock } = t.mock.method(Date, 'now', () => read() + ms)
  follow(read() + ms)
  t.after(() => {
    mock.restore()
    follow(read())
  })
}

function follow(databaseMs: number): void {
  const { monotonicMs } = clock
  clock.follow({ databaseMs, sentMs: monotonicMs, receivedMs: monotonicMs })
}
