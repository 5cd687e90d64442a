/** The path of messages as stages, from the figures of the API: what flows through each, what waits in it, and whether that is too much. Pure. */
import type { Operations } from '../../generated/operations.ts'

export type Now = Operations['showNow']['data']
export type StageId = 'accept' | 'intake' | 'waiting' | 'dispatch' | 'carriers' | 'receipts' | 'reports'
export type StageTone = 'calm' | 'warn' | 'bad'

export interface Stage {
  readonly id: StageId
  /** Messages per second that pass it; null while unknown. */
  readonly rate: number | null
  /** What waits in front of it: undefined where nothing can, null while unknown. */
  readonly backlog: number | null | undefined
  readonly tone: StageTone
}

/** The alarm of the API for intake begins at 5,000: a fifth of it is worth a look. */
const limits = { intake: [1_000, 5_000], dispatch: [10_000, 50_000], receipts: [1_000, 5_000] } as const

export function toStages(now: Now): readonly Stage[] {
  const { queues, flow, rates, waiting, links, webhooks, lanes } = now
  const depth = (stage: string): number | null => {
    const depths = queues.filter((queue) => queue.stage === stage).map(({ messages }) => messages)
    return depths.includes(null) ? null : depths.reduce<number>((sum, one) => sum + one!, 0)
  }
  const [intake, dispatch, receipts] = [depth('accepted'), depth('dispatch'), depth('receipts')]
  const accepted = flow.recorded ?? rates.accepted
  const carried = flow.submitted ?? sumOf(lanes.map((lane) => lane.delivered + lane.failed))
  return [
    { id: 'accept', rate: accepted, backlog: undefined, tone: 'calm' },
    { id: 'intake', rate: accepted, backlog: intake, tone: judge(intake, limits.intake) },
    {
      ...({ id: 'waiting', rate: accepted, backlog: waiting.count } as const),
      tone: waiting.more ? 'bad' : lanes.some((lane) => !lane.usable && lane.waiting > 0) ? 'warn' : 'calm',
    },
    { id: 'dispatch', rate: carried, backlog: dispatch, tone: judge(dispatch, limits.dispatch) },
    {
      ...({ id: 'carriers', rate: carried, backlog: undefined } as const),
      tone: links.healthy === links.shares ? 'calm' : links.healthy === 0 ? 'bad' : 'warn',
    },
    { id: 'receipts', rate: carried, backlog: receipts, tone: judge(receipts, limits.receipts) },
    {
      ...({ id: 'reports', rate: flow.reported ?? rates.closed, backlog: undefined } as const),
      tone: webhooks.failing + webhooks.disabledByFailure > 0 ? 'warn' : 'calm',
    },
  ]
}

function judge(backlog: number | null, [warn, bad]: readonly [number, number]): StageTone {
  // RabbitMQ does not answer.
  if (backlog === null) return 'bad'
  return backlog > bad ? 'bad' : backlog > warn ? 'warn' : 'calm'
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
