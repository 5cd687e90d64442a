/** Reports to other processes: as many as it takes, one soon after the other, and none without a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { atEnd } from '../../../test/support/cleanup.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { clock } from '../../platform/clock.ts'
import { readReport, startSharing, type CountSharing } from './share-counts.ts'
import { SharedCounts } from './shared-counts.ts'

const hourMs = 3_600_000

/** Counts beside one other process, and the sums of recipients in each report that has any. */
function openSharing(): { readonly recipients: SharedCounts; readonly reports: number[] } {
  const counts = { recipients: new SharedCounts(hourMs), prefixes: new SharedCounts(hourMs) }
  const reports: number[] = []
  let receive: (message: unknown) => void = () => undefined
  const broker: CountSharing['broker'] = {
    broadcast(_topic, message) {
      const { length } = readReport(message)!.recipients
      if (length > 0) reports.push(length)
    },
    listen(_topic, listener) {
      receive = listener
      return { stop: () => Promise.resolve() }
    },
  }
  // No sign of presence, which repeats the sums, during a test.
  const sharing = startSharing(counts, { broker, topic: 'velocity', processId: 'one' }, hourMs)
  atEnd(() => sharing.stop())
  receive({ v: 1, process: 'other', recipients: [], prefixes: [] })
  return { recipients: counts.recipients, reports }
}

test('a report that is full is followed by another, until all sums are published', async () => {
  const { recipients, reports } = openSharing()
  const now = clock.now()
  for (let accountId = 1; accountId <= 3; accountId++)
    for (let n = 0; n < 1_500; n++) {
      recipients.add(accountId, `number ${n}`, now)
      assert.equal(recipients.isReached(accountId, `number ${n}`, now, 2), false)
    }
  await waitFor('all reports', () => reports.length >= 3)
  await pause(300)
  assert.deepEqual(reports, [2_000, 2_000, 500])
})
