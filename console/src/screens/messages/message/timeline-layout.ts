/**
 * Where the stops of a message are drawn, in pixels of a given width: time runs from left to right, a lane below the other for each step.
 * The distance between stops grows with the logarithm of the time between them; longer waits are folded. Pure.
 */
import { toLanes, toStops, type LaneState, type Message, type Stop } from './stops.ts'

export interface PlacedStop extends Stop {
  readonly x: number
  readonly y: number
}

export interface PlacedLane extends LaneState {
  readonly y: number
}

/** From one stop to the next. */
export interface Leg {
  readonly id: string
  readonly path: string
  readonly gapMs: number
  /** The drawing leaves out most of the time. */
  readonly folded: boolean
  /** To a receipt that came too late. */
  readonly aside: boolean
  /** Its middle. */
  readonly x: number
  readonly y: number
  readonly changesLane: boolean
}

export interface TimelineLayout {
  /** At least the given one. */
  readonly width: number
  readonly height: number
  /** Where lanes begin, right of their names. */
  readonly left: number
  readonly lanes: readonly PlacedLane[]
  readonly stops: readonly PlacedStop[]
  readonly legs: readonly Leg[]
}

export const size = { laneHeight: 118, top: 8, left: 128, first: 46, right: 56, radius: 11, minGap: 98 }
export const foldMs = 10_000

export function placeTimeline(message: Pick<Message, 'events' | 'channels'>, given: number): TimelineLayout {
  const stops = toStops(message)
  const states = toLanes(message)
  // A message that was never recorded has no flow.
  const lanes: readonly LaneState[] =
    states.length > 0 ? states : [{ step: 1, channel: '', code: null, state: 'under way' }]
  const yOf = (lane: number): number => size.top + (Math.min(lane, lanes.length) - 0.5) * size.laneHeight
  const gaps = stops.slice(1).map((stop, index) => stop.atMs - stops[index]!.atMs)
  const least = size.left + size.first + gaps.length * size.minGap + size.right
  const width = Math.max(given, least)
  const xs = columns(gaps, width)
  const placed = stops.map((stop, index): PlacedStop => ({ ...stop, x: xs[index]!, y: yOf(stop.lane) }))
  return {
    ...{ width, height: size.top + lanes.length * size.laneHeight, left: size.left, stops: placed },
    lanes: lanes.map((lane) => ({ ...lane, y: yOf(lane.step) })),
    legs: placeLegs(placed),
  }
}

/** Room that is left over goes to longer gaps, none of them taking more than twice what a folded one does. */
function columns(gaps: readonly number[], width: number): readonly number[] {
  const first = size.left + size.first
  const weights = gaps.map((gap) => Math.log10(1 + Math.min(gap, foldMs)) / Math.log10(1 + foldMs))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const free = width - first - size.right - gaps.length * size.minGap
  const xs = [first]
  for (const weight of weights) {
    const share = sum === 0 ? free / gaps.length : (free * weight) / sum
    // A message with two stops need not fill a wide screen.
    xs.push(xs.at(-1)! + size.minGap + Math.min(share, 2 * size.minGap))
  }
  return xs
}

function placeLegs(stops: readonly PlacedStop[]): Leg[] {
  return stops.flatMap((stop, index) => {
    const before = stops.slice(0, index)
    const from = stop.aside
      ? (before.findLast(({ lane }) => lane === stop.lane) ?? before.at(-1))
      : before.findLast(({ aside }) => !aside)
    if (from === undefined) return []
    const gapMs = stop.atMs - from.atMs
    const bend = Math.min(from.y === stop.y ? 0 : 70, (stop.x - from.x) / 2)
    const start = from.x + size.radius
    const end = stop.x - size.radius
    return [
      {
        ...{ id: stop.id, gapMs, folded: gapMs >= foldMs, aside: stop.aside },
        path: `M${start} ${from.y} C${start + bend} ${from.y} ${end - bend} ${stop.y} ${end} ${stop.y}`,
        ...{ x: (start + end) / 2, y: (from.y + stop.y) / 2, changesLane: from.y !== stop.y },
      },
    ]
  })
}
