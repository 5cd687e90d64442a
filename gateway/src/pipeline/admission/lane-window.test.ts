import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LaneWindow, type WeightedAccount } from './lane-window.ts'

const flood: WeightedAccount = { id: 1, weight: 1 }
const small: WeightedAccount = { id: 2, weight: 1 }

/** Sends until the window refuses; returns how many were accepted. */
function fill(
  window: LaneWindow,
  sender: WeightedAccount,
  acceptedAt: number,
  nowMs: number,
  most = 100_000,
): number {
  let accepted = 0
  while (accepted < most && window.findExcess(sender, 1, nowMs) === null) {
    window.countAccepted(sender, acceptedAt, nowMs)
    accepted++
  }
  return accepted
}

function openWindow(): LaneWindow {
  const window = new LaneWindow()
  window.countRecorded(1, 0, 0, 0)
  return window
}

test('one account may use the whole window, and others still get their share', () => {
  const window = openWindow()
  assert.equal(fill(window, flood, 1_000, 10), 1_000)
  assert.equal(fill(window, small, 1_000, 10), 500)
  assert.equal(fill(window, { id: 3, weight: 3 }, 1_000, 10), 600)
})

test('an account with few unrecorded messages is not refused, however many others send', () => {
  const window = openWindow()
  for (let id = 1; id <= 1_000; id++) window.countAccepted({ id, weight: 1 }, 1_000, 10)
  assert.equal(window.findExcess({ id: 1, weight: 1 }, 10, 10), null)
})

test('recorded messages make room even after the clock was set back', () => {
  const window = openWindow()
  assert.equal(fill(window, flood, 50_000, 0, 400), 400)
  assert.equal(fill(window, flood, 10_000, 100, 400), 400)
  window.countRecorded(800, 10_000, 100, 200)
  assert.equal(window.unrecorded, 0)
})

test('the window grows with what intake records, and shrinks to half of it while intake is late', () => {
  const window = openWindow()
  window.countRecorded(4_000, 0, 300, 100)
  assert.equal(fill(window, flood, 1_000, 110), 4_001)
  for (let nowMs = 2_000; nowMs < 6_000; nowMs += 100) window.countRecorded(200, 1_000, 1_500, nowMs)
  assert.equal(fill(window, flood, 6_000, 6_000), 1_000)
})

test('a window that shrank is large again when it is empty', () => {
  const window = openWindow()
  fill(window, flood, 1_000, 10, 100)
  for (let nowMs = 100; nowMs < 6_000; nowMs += 100) window.countRecorded(2, 500, 1_500, nowMs)
  window.countRecorded(100, 1_000, 1_500, 6_000)
  assert.ok(fill(window, flood, 6_000, 6_100) < 200)
  window.countRecorded(200, 6_000, 1_500, 6_200)
  window.forgetIdle(6_300)
  assert.equal(fill(window, flood, 7_000, 7_000), 1_000)
})

test('a changed weight applies to the share of an account that is sending', () => {
  const window = openWindow()
  assert.equal(fill(window, flood, 1_000, 10), 1_000)
  assert.equal(fill(window, small, 1_000, 10), 500)
  assert.equal(fill(window, { ...small, weight: 3 }, 1_000, 10), 250)
})

test('an account gets a window per second while nothing is recorded', () => {
  const window = openWindow()
  let accepted = 0
  for (let nowMs = 100; nowMs <= 10_100; nowMs += 100) accepted += fill(window, flood, nowMs, nowMs)
  assert.ok(accepted >= 8_000 && accepted <= 11_000, String(accepted))
})

test('refused requests get increasing retry delays', () => {
  const window = openWindow()
  fill(window, flood, 1_000, 10)
  const delays = Array.from({ length: 1_000 }, () => window.findExcess(flood, 10, 10)!.retryAfterSeconds)
  assert.equal(delays[0], 1)
  assert.ok(delays.at(-1)! >= 10 && delays.at(-1)! <= 13, String(delays.at(-1)))
})

for (const { perSecond, processes } of [
  { perSecond: 5_000, processes: 2 },
  { perSecond: 700, processes: 2 },
  { perSecond: 300, processes: 2 },
  { perSecond: 20_000, processes: 8 },
])
  test(`an intake of ${perSecond} messages per second is used, and a neighbour waits less than 2 seconds`, () => {
    // Intake needs this long to record the first window of every process; earlier waits are not measured.
    const settledMs = (processes * 1_000 * 1_000) / perSecond + 1_000
    const windows = Array.from({ length: processes }, openWindow)
    const queue: { readonly process: number; readonly at: number; readonly isSmall: boolean }[] = []
    let [recorded, longestMs, refused] = [0, 0, 0]
    const seconds = 30
    const due = windows.map(() => ({ messages: 0, until: 0, age: 0 }))
    const send = (process: number, sender: WeightedAccount, now: number): boolean => {
      if (windows[process]!.findExcess(sender, 1, now) !== null) return false
      windows[process]!.countAccepted(sender, now, now)
      queue.push({ process, at: now, isSmall: sender === small })
      return true
    }
    for (let now = 0; now < seconds * 1_000; now += 10) {
      for (let process = 0; process < processes; process++) {
        for (let n = 0; n < (perSecond / 100) * 3 && send(process, flood, now); n++);
        if (now % 100 === 0 && !send(process, small, now)) refused++
      }
      // Intake holds a quarter of a second of messages before they are recorded.
      const count = Math.min(perSecond / 100, queue.findIndex(({ at }) => at > now - 250) + 1 || queue.length)
      for (const { process, at, isSmall } of queue.splice(0, count)) {
        const counted = due[process]!
        due[process] = { messages: counted.messages + 1, until: at, age: now - at }
        if (isSmall && at > settledMs) longestMs = Math.max(longestMs, now - at)
        recorded++
      }
      if (now % 100 === 0)
        due.forEach(({ messages, until, age }, process) => {
          if (messages > 0) windows[process]!.countRecorded(messages, until, age, now)
          due[process] = { messages: 0, until: 0, age: 0 }
        })
    }
    assert.equal(refused, 0)
    assert.ok(recorded > 0.9 * perSecond * seconds, `${recorded} recorded`)
    assert.ok(longestMs < 2_000, `${longestMs} ms`)
  })
