/** An owner of the route in the model: it runs the real transitions, and each call of a port waits for the explorer. */
import { ProcessStopping } from '../../../src/platform/retry.ts'
import { StepsInProgress } from '../../../src/pipeline/dispatch/step/in-progress.ts'
import { advance } from '../../../src/pipeline/dispatch/step/run.ts'
import type { StateName, StepState } from '../../../src/pipeline/dispatch/step/states.ts'
import type { StepPorts } from '../../../src/pipeline/dispatch/step/ports.ts'
import type { RouteJob } from '../../../src/jobs/jobs.ts'

/** A call of a port that has not returned yet. */
export interface PendingCall {
  /** Which service answers it. */
  readonly to: 'database' | 'broker' | 'scheduler' | 'timer' | 'carrier'
  readonly label: string
  /** What the service does. */
  readonly apply: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** The carrier has other parts of the message. */
  readonly isRest?: boolean
  /** The part at the carrier. */
  readonly part?: number
}

export interface Delivery {
  readonly job: RouteJob
  readonly controller: AbortController
  /** The broker has delivered the job to another consumer. */
  isLost: boolean
  isOverdue: boolean
  state: StepState | undefined
  readonly calls: Set<PendingCall>
}

export class ModelOwner {
  readonly name: string
  /** It stops: it consumes no more, and its retries end. */
  isStopping = false
  /** PostgreSQL does not receive its statements. */
  isCutOff = false
  readonly deliveries = new Set<Delivery>()
  /** Steps whose recorded refusals it publishes later. */
  readonly endsLater: RouteJob[] = []
  readonly #inProgress = new StepsInProgress()
  #claims = 0

  constructor(name: string) {
    this.name = name
  }

  /** Tokens follow from the owner, so that schedules that differ in order only lead to the same situation. */
  nextToken(): number {
    return (this.name.charCodeAt(0) - 64) * 10 + ++this.#claims
  }

  get tokens(): number {
    return this.#claims
  }

  async receive(
    job: RouteJob,
    createPorts: (delivery: Delivery) => StepPorts,
    onTransition: (from: StateName, to: StateName) => void,
  ): Promise<'acknowledged' | 'returned' | 'lost'> {
    const controller = new AbortController()
    const delivery: Delivery = {
      job,
      controller,
      isLost: false,
      isOverdue: false,
      state: undefined,
      calls: new Set(),
    }
    this.deliveries.add(delivery)
    const run = async (): Promise<StepState<'done'>> => {
      const step = { lane: 'normal', job, delivery: controller.signal, startedMs: 0 } as const
      const ports = createPorts(delivery)
      let state: StepState = { name: 'received', step }
      for (;;) {
        delivery.state = state
        if (state.name === 'done') return state
        if (state.name === 'abandoned') throw new ProcessStopping('the route is stopping')
        const next: StepState = await advance(ports, state)
        onTransition(state.name, next.name)
        state = next
      }
    }
    const result = await this.#inProgress.run(job, run).then(
      () => 'acknowledged' as const,
      (error: unknown) => {
        if (!(error instanceof ProcessStopping)) throw error
        return 'returned' as const
      },
    )
    this.deliveries.delete(delivery)
    return delivery.isLost ? 'lost' : result
  }
}
