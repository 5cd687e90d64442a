/** Derives rate, backlog and tone of each pipeline stage from the figures of the API. */
import type { Operations } from '../../generated/operations.ts'

export type Now = Operations['showNow']['data']
export type StageId = 'accept' | 'intake' | 'waiting' | 'dispatch' | 'carriers' | 'receipts' | 'reports'
export type StageTone = 'calm' | 'warn' | 'bad'

export interface Stage {
  readonly id: StageId
  /** Messages per second, or submitted parts from dispatch to receipts; null if unknown. */
  readonly rate: number | null
  /** Waiting messages, null if unknown, undefined for stages without a queue. */
  readonly backlog: number | null | undefined
  readonly tone: StageTone
}

/** Warning and critical backlog. The intake alarm of the API starts at 5,000. */
const limits = { intake: [1_000, 5_000], dispatch: [10_000, 50_000], receipts: [1_000, 5_000] } as const

export function toStages(now: Now): readonly Stage[] {
  const { queues, flow, rates, waiting, links, webhooks, lanes } = now
  const depth = (stage: string): number | null => {
    const depths = queues.filter((queue) => queue.stage === stage).map(({ messages }) => messages)
    return depths.includes(null) ? null : depths.reduce<number>((sum, one) => sum + one!, 0)
  }
  const [intake, dispatch, receipts] = [depth('accepted'), depth('dispatch'), depth('receipts')]
  const accepted = flow.recorded ?? rates.accepted
  const carried = flow.submitted ?? sum(lanes.map((lane) => lane.delivered + lane.failed))
  return [
    { id: 'accept', rate: accepted, backlog: undefined, tone: 'calm' },
    { id: 'intake', rate: accepted, backlog: intake, tone: backlogTone(intake, limits.intake) },
    {
      id: 'waiting',
      rate: accepted,
      backlog: waiting.count,
      tone: waiting.more ? 'bad' : lanes.some((lane) => !lane.usable && lane.waiting > 0) ? 'warn' : 'calm',
    },
    { id: 'dispatch', rate: carried, backlog: dispatch, tone: backlogTone(dispatch, limits.dispatch) },
    {
      id: 'carriers',
      rate: carried,
      backlog: undefined,
      tone: links.healthy === links.shares ? 'calm' : links.healthy === 0 ? 'bad' : 'warn',
    },
    { id: 'receipts', rate: carried, backlog: receipts, tone: backlogTone(receipts, limits.receipts) },
    {
      id: 'reports',
      rate: flow.reported ?? rates.closed,
      backlog: undefined,
      tone: webhooks.failing + webhooks.disabledByFailure > 0 ? 'warn' : 'calm',
    },
  ]
}

function backlogTone(backlog: number | null, [warn, bad]: readonly [number, number]): StageTone {
  // RabbitMQ does not respond.
  if (backlog === null) return 'bad'
  return backlog > bad ? 'bad' : backlog > warn ? 'warn' : 'calm'
}

export function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
