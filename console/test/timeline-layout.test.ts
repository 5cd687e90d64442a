import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLanes, toStops, type Message, type TimelineEvent } from '../src/screens/messages/message/stops.ts'
import { foldMs, placeTimeline, timelineSize } from '../src/screens/messages/message/timeline-layout.ts'

const began = Date.UTC(2026, 10, 16, 9)
const event = (
  seconds: number,
  kind: TimelineEvent['kind'],
  step: number | null = 1,
  details: TimelineEvent['details'] = {},
): TimelineEvent => ({ at: new Date(began + seconds * 1_000).toISOString(), kind, step, text: '', details })
const message = (channels: string[], ...events: TimelineEvent[]): Pick<Message, 'events' | 'channels'> => ({
  channels,
  events,
})
const submitted = { try: 1, outcome: 'accepted' }
const receipt = { try: 1, result: 'delivered', receipts: 1, late: false }

const delivered = message(
  ['sms'],
  event(0, 'accepted', null),
  event(0.1, 'routed'),
  event(0.1, 'submitted', 1, submitted),
  event(0.5, 'receipt', 1, receipt),
  event(0.6, 'ended', 1, { code: '10000' }),
  event(0.6, 'closed', 1, { code: '10000' }),
)

test('a delivered message has four stops', () => {
  assert.deepEqual(
    toStops(delivered).map(({ kind, tone }) => [kind, tone]),
    [
      ['accepted', 'calm'],
      ['submitted', 'calm'],
      ['receipt', 'calm'],
      ['closed', 'ok'],
    ],
  )
})

test('gives every step a lane and draws a late receipt off the path', () => {
  const flow = message(
    ['rcs', 'sms', 'mms'],
    event(0, 'accepted', null),
    event(0.1, 'submitted', 1, submitted),
    event(60, 'deadline', 1),
    event(60, 'ended', 1, { code: '32000' }),
    event(60, 'fallback', 2, { channel: 'sms' }),
    event(60.1, 'submitted', 2, submitted),
    event(60.2, 'receipt', 1, { ...receipt, late: true }),
    event(60.4, 'receipt', 2, { ...receipt, receipts: 2 }),
    event(60.5, 'ended', 2, { code: '10000' }),
    event(60.5, 'closed', 2, { code: '10000' }),
  )
  const { stops, legs, lanes } = placeTimeline(flow, 1_400)
  assert.deepEqual(
    stops.map(({ kind, lane, aside, tone }) => [kind, lane, aside, tone]),
    [
      ['accepted', 1, false, 'calm'],
      ['submitted', 1, false, 'calm'],
      ['deadline', 1, false, 'bad'],
      ['submitted', 2, false, 'calm'],
      ['receipt', 1, true, 'warn'],
      ['receipt', 2, false, 'warn'],
      ['closed', 2, false, 'ok'],
    ],
  )
  assert.deepEqual(
    toLanes(flow).map(({ state, code }) => [state, code]),
    [
      ['ended', '32000'],
      ['ended', '10000'],
      ['not used', null],
    ],
  )
  assert.equal(lanes.length, 3)
  // The path continues from the second submission, not from the late receipt.
  assert.deepEqual(
    legs.map(({ gapMs, folded, aside }) => [gapMs, folded, aside]),
    [
      [100, false, false],
      [59_900, true, false],
      [100, false, false],
      [200, false, true],
      [300, false, false],
      [100, false, false],
    ],
  )
  assert.ok(stops[3]!.y > stops[2]!.y)
})

test('merges the parts of one attempt into one stop', () => {
  const parts = message(
    ['sms'],
    event(0, 'accepted', null),
    event(1, 'submitted', 1, submitted),
    event(1.1, 'submitted', 1, { ...submitted, outcome: 'refused' }),
    event(2, 'receipt', 1, receipt),
    event(3, 'receipt', 1, receipt),
    event(4, 'open', 1),
  )
  assert.deepEqual(
    toStops(parts).map(({ kind, atMs, tone, events }) => [kind, atMs - began, tone, events.length]),
    [
      ['accepted', 0, 'calm', 1],
      ['submitted', 1_000, 'bad', 2],
      ['receipt', 3_000, 'calm', 2],
      ['open', 4_000, 'waits', 1],
    ],
  )
})

test('widens gaps with time up to the fold and never overlaps stops', () => {
  const waits = (seconds: number): number => {
    const { stops } = placeTimeline(
      message(
        ['sms'],
        event(0, 'accepted', null),
        event(1, 'held'),
        event(1 + seconds, 'submitted', 1, submitted),
      ),
      700,
    )
    return stops[2]!.x - stops[1]!.x
  }
  const [short, longer, folded, week] = [
    waits(0.01),
    waits(2),
    waits(foldMs / 1_000),
    waits(604_800),
  ] as const
  assert.ok(timelineSize.minGap <= short && short < longer && longer < folded, `${short} ${longer} ${folded}`)
  assert.ok(Math.abs(folded - week) < 1)
  for (const given of [620, 1_000, 2_400]) {
    const { width, stops } = placeTimeline(delivered, given)
    assert.ok(width >= given)
    assert.ok(stops.at(-1)!.x <= width - timelineSize.right + 0.001)
    for (const [index, stop] of stops.entries())
      if (index > 0) assert.ok(stop.x - stops[index - 1]!.x >= timelineSize.minGap)
  }
})

test('draws a message that was only parked', () => {
  const { stops, lanes } = placeTimeline(message([], event(0, 'parked', null, { id: 1 })), 800)
  assert.deepEqual([stops.length, lanes.length, stops[0]!.tone], [1, 1, 'bad'])
})
