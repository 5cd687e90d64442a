/** Where the parts of the flow map are drawn, in pixels of a given width: stages from left to right, routes below each other. Pure. */
import { sumOf, toStages, type Now, type Stage } from './stages.ts'

export type Lane = Now['lanes'][number]

export interface PlacedStage extends Stage {
  readonly x: number
  readonly y: number
  /** How full its tank is, 0 to 1; null without one. */
  readonly level: number | null
}

export interface PlacedLane {
  readonly lane: Lane
  readonly x: number
  readonly y: number
  readonly level: number
}

export interface Pipe {
  readonly id: string
  readonly path: string
  readonly width: number
  /** Nothing flows. */
  readonly dry: boolean
  readonly tone: Stage['tone']
}

export interface FlowLayout {
  readonly width: number
  readonly height: number
  readonly stages: readonly PlacedStage[]
  readonly lanes: readonly PlacedLane[]
  readonly pipes: readonly Pipe[]
}

export const size = { nodeWidth: 104, nodeHeight: 54, tankWidth: 72, tankHeight: 58, laneHeight: 40 }
export const maxLanes = 8
const laneGap = 10
const margin = 8
const maxPipe = 20
/** A map of an idle installation is not full of thick pipes. */
const minFullRate = 10

export function laneWidth(width: number): number {
  return Math.min(260, Math.max(150, width * 0.19))
}

export function placeFlow(now: Now, width: number): FlowLayout {
  const stages = toStages(now)
  const shown = now.lanes.slice(0, maxLanes)
  const lanesHeight = Math.max(1, shown.length) * (size.laneHeight + laneGap) - laneGap
  const height = Math.max(190, lanesHeight + 2 * margin)
  const middle = height / 2
  const nodeY = Math.min(middle, height - size.nodeHeight / 2 - size.tankHeight - 26)
  const xs = columns(width)
  const placed = stages.map((stage, index): PlacedStage => ({
    ...stage,
    x: xs[index]!,
    y: nodeY,
    level: levelOf(stage.backlog),
  }))
  const lanes = shown.map((lane, index): PlacedLane => ({
    ...{ lane, x: xs[4]! },
    y: middle - lanesHeight / 2 + size.laneHeight / 2 + index * (size.laneHeight + laneGap),
    level: levelOf(lane.waiting) ?? 0,
  }))
  return { width, height, stages: placed, lanes, pipes: placePipes(placed, lanes, laneWidth(width)) }
}

/** The centres of the seven columns; that of the carriers is wider, because it has names. */
function columns(width: number): readonly number[] {
  const wide = laneWidth(width)
  const gap = (width - 2 * margin - 6 * size.nodeWidth - wide) / 6
  let left = margin
  return Array.from({ length: 7 }, (_, index) => {
    const own = index === 4 ? wide : size.nodeWidth
    const centre = left + own / 2
    left += own + gap
    return centre
  })
}

/** By orders of magnitude: 10 messages are a fifth of the tank, 100,000 fill it. */
function levelOf(backlog: number | null | undefined): number | null {
  if (backlog === undefined || backlog === null) return backlog === null ? 0 : null
  return Math.min(1, Math.log10(1 + backlog) / 5)
}

function placePipes(stages: readonly PlacedStage[], lanes: readonly PlacedLane[], wide: number): Pipe[] {
  const laneRates = lanes.map(({ lane }) => lane.delivered + lane.failed)
  const full = Math.max(minFullRate, sumOf(laneRates), ...stages.map(({ rate }) => rate ?? 0))
  const pipe = (
    ...[id, from, to, rate, tone]: readonly [string, Point, Point, number | null, Stage['tone']]
  ): Pipe => ({
    ...{ id, tone, path: curve(from, to), dry: rate === null || rate === 0 },
    width: 2 + (maxPipe - 2) * Math.sqrt((rate ?? 0) / full),
  })
  const half = size.nodeWidth / 2
  const straight = [0, 1, 2, 5].map((index) => {
    const [from, to] = [stages[index]!, stages[index + 1]!]
    const rate = index === 2 ? to.rate : index === 5 ? to.rate : from.rate
    return pipe(`${from.id}-${to.id}`, [from.x + half, from.y], [to.x - half, to.y], rate, 'calm')
  })
  const [dispatch, receipts] = [stages[3]!, stages[5]!]
  const fans = lanes.flatMap(({ lane, x, y }, index) => {
    const tone = lane.usable ? 'calm' : 'bad'
    const rate = laneRates[index]!
    return [
      pipe(`to-${lane.route}`, [dispatch.x + half, dispatch.y], [x - wide / 2, y], rate, tone),
      pipe(`from-${lane.route}`, [x + wide / 2, y], [receipts.x - half, receipts.y], rate, tone),
    ]
  })
  return [...straight, ...fans]
}

type Point = readonly [x: number, y: number]

function curve([x1, y1]: Point, [x2, y2]: Point): string {
  const bend = (x2 - x1) / 2
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
