/** Lays out the flow map for a given width in pixels: stages from left to right, routes below each other. */
import { sum, toStages, type Now, type Stage } from './stages.ts'

export type Lane = Now['lanes'][number]

export interface PlacedStage extends Stage {
  readonly x: number
  readonly y: number
  /** Fill level of the tank from 0 to 1; null if the stage has no tank. */
  readonly level: number | null
}

export interface PlacedRoute {
  readonly lane: Lane
  readonly x: number
  readonly y: number
  readonly level: number
}

export interface Pipe {
  readonly id: string
  readonly path: string
  readonly width: number
  /** No messages pass. */
  readonly dry: boolean
  readonly tone: Stage['tone']
}

export interface FlowLayout {
  readonly width: number
  readonly height: number
  readonly stages: readonly PlacedStage[]
  readonly lanes: readonly PlacedRoute[]
  readonly pipes: readonly Pipe[]
}

export const flowSize = { nodeWidth: 104, nodeHeight: 54, tankWidth: 72, tankHeight: 58, laneHeight: 40 }
export const maxLanes = 8
const laneGap = 10
const margin = 8
const maxPipe = 20
/** Index of the stage `carriers`. */
const carrierColumn = 4
/** Keeps pipes thin in an idle installation. */
const minFullRate = 10

export function laneWidth(width: number): number {
  return Math.min(260, Math.max(150, width * 0.19))
}

export function placeFlow(now: Now, width: number): FlowLayout {
  const stages = toStages(now)
  const visibleLanes = now.lanes.slice(0, maxLanes)
  const lanesHeight = Math.max(1, visibleLanes.length) * (flowSize.laneHeight + laneGap) - laneGap
  const height = Math.max(190, lanesHeight + 2 * margin)
  const middle = height / 2
  const nodeY = Math.min(middle, height - flowSize.nodeHeight / 2 - flowSize.tankHeight - 26)
  const xs = columns(width)
  const placed = stages.map((stage, index): PlacedStage => ({
    ...stage,
    x: xs[index]!,
    y: nodeY,
    level: tankLevel(stage.backlog),
  }))
  const lanes = visibleLanes.map((lane, index): PlacedRoute => ({
    lane,
    x: xs[carrierColumn]!,
    y: middle - lanesHeight / 2 + flowSize.laneHeight / 2 + index * (flowSize.laneHeight + laneGap),
    level: tankLevel(lane.waiting) ?? 0,
  }))
  return { width, height, stages: placed, lanes, pipes: placePipes(placed, lanes, laneWidth(width)) }
}

/** Returns the centres of the seven columns; the carrier column is wider, because it shows names. */
function columns(width: number): readonly number[] {
  const wide = laneWidth(width)
  const gap = (width - 2 * margin - 6 * flowSize.nodeWidth - wide) / 6
  let left = margin
  return Array.from({ length: 7 }, (_, index) => {
    const own = index === carrierColumn ? wide : flowSize.nodeWidth
    const centre = left + own / 2
    left += own + gap
    return centre
  })
}

/** Logarithmic: 10 messages are a fifth of the tank, 100,000 fill it. An unknown backlog is shown as an empty tank. */
function tankLevel(backlog: number | null | undefined): number | null {
  if (backlog === undefined) return null
  if (backlog === null) return 0
  return Math.min(1, Math.log10(1 + backlog) / 5)
}

function placePipes(stages: readonly PlacedStage[], lanes: readonly PlacedRoute[], wide: number): Pipe[] {
  const laneRates = lanes.map(({ lane }) => lane.delivered + lane.failed)
  const full = Math.max(minFullRate, sum(laneRates), ...stages.map(({ rate }) => rate ?? 0))
  const pipe = (
    ...[id, from, to, rate, tone]: readonly [string, Point, Point, number | null, Stage['tone']]
  ): Pipe => ({
    id,
    tone,
    path: curve(from, to),
    dry: rate === null || rate === 0,
    width: 2 + (maxPipe - 2) * Math.sqrt((rate ?? 0) / full),
  })
  const half = flowSize.nodeWidth / 2
  const straight = [0, 1, 2, 5].map((index) => {
    const [from, to] = [stages[index]!, stages[index + 1]!]
    const rate = index === 2 || index === 5 ? to.rate : from.rate
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
