/**
 * Lays out the stops of a message for a given width in pixels: time runs from left to right, one lane per step. Distances grow
 * with the logarithm of the time between stops; long waits are folded.
 */
import { toLanes, toStops, type LaneState, type Message, type Stop } from './stops.ts'

export interface PlacedStop extends Stop {
  readonly x: number
  readonly y: number
}

export interface PlacedLane extends LaneState {
  readonly y: number
}

/** Connection between two stops. */
export interface Leg {
  readonly id: string
  readonly path: string
  readonly gapMs: number
  /** A long wait that is drawn shortened. */
  readonly folded: boolean
  /** Leads to a late receipt. */
  readonly aside: boolean
  /** Horizontal centre. */
  readonly x: number
  readonly y: number
  readonly changesLane: boolean
}

export interface TimelineLayout {
  /** The drawing is never narrower than the available width. */
  readonly width: number
  readonly height: number
  /** Start of the lanes, right of their names. */
  readonly left: number
  readonly lanes: readonly PlacedLane[]
  readonly stops: readonly PlacedStop[]
  readonly legs: readonly Leg[]
}

export const timelineSize = {
  laneHeight: 118,
  top: 8,
  left: 128,
  first: 46,
  right: 56,
  radius: 11,
  minGap: 98,
}
export const foldMs = 10_000

export function placeTimeline(
  message: Pick<Message, 'events' | 'channels'>,
  availableWidth: number,
): TimelineLayout {
  const stops = toStops(message)
  const states = toLanes(message)
  // A message that was not recorded has no flow.
  const lanes: readonly LaneState[] =
    states.length > 0 ? states : [{ step: 1, channel: '', code: null, state: 'under way' }]
  const laneCentre = (lane: number): number =>
    timelineSize.top + (Math.min(lane, lanes.length) - 0.5) * timelineSize.laneHeight
  const gaps = stops.slice(1).map((stop, index) => stop.atMs - stops[index]!.atMs)
  const minWidth =
    timelineSize.left + timelineSize.first + gaps.length * timelineSize.minGap + timelineSize.right
  const width = Math.max(availableWidth, minWidth)
  const xs = columns(gaps, width)
  const placed = stops.map((stop, index): PlacedStop => ({
    ...stop,
    x: xs[index]!,
    y: laneCentre(stop.lane),
  }))
  return {
    width,
    height: timelineSize.top + lanes.length * timelineSize.laneHeight,
    left: timelineSize.left,
    stops: placed,
    lanes: lanes.map((lane) => ({ ...lane, y: laneCentre(lane.step) })),
    legs: placeLegs(placed),
  }
}

/** Distributes spare width by the length of the gaps, at most twice `minGap` to each. */
function columns(gaps: readonly number[], width: number): readonly number[] {
  const first = timelineSize.left + timelineSize.first
  const weights = gaps.map((gap) => Math.log10(1 + Math.min(gap, foldMs)) / Math.log10(1 + foldMs))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const free = width - first - timelineSize.right - gaps.length * timelineSize.minGap
  const xs = [first]
  for (const weight of weights) {
    const extra = sum === 0 ? free / gaps.length : (free * weight) / sum
    // Few stops do not stretch over a wide screen.
    xs.push(xs.at(-1)! + timelineSize.minGap + Math.min(extra, 2 * timelineSize.minGap))
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
    const start = from.x + timelineSize.radius
    const end = stop.x - timelineSize.radius
    return [
      {
        id: stop.id,
        gapMs,
        folded: gapMs >= foldMs,
        aside: stop.aside,
        path: `M${start} ${from.y} C${start + bend} ${from.y} ${end - bend} ${stop.y} ${end} ${stop.y}`,
        x: (start + end) / 2,
        y: (from.y + stop.y) / 2,
        changesLane: from.y !== stop.y,
      },
    ]
  })
}
