import { ProcessStopping } from '../../../src/platform/database/retry.ts'
import { StepsInProgress } from '../../../src/pipeline/dispatch/step/in-progress.ts'
import { advance } from '../../../src/pipeline/dispatch/step/run.ts'
import type { StateName, DispatchState } from '../../../src/pipeline/dispatch/step/states.ts'
import type { StepPorts } from '../../../src/pipeline/dispatch/step/ports.ts'
import type { RouteJob } from '../../../src/jobs/jobs.ts'

/** Pending call of a port. */
export interface PendingCall {
  /** Called service. */
  readonly to: 'database' | 'broker' | 'scheduler' | 'timer' | 'carrier'
  readonly label: string
  /** Executes the call and returns its result. */
  readonly apply: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** Whether the carrier has other parts of the message. */
  readonly isRest?: boolean
  /** Submitted part. */
  readonly part?: number
}

export interface ModelDelivery {
  readonly job: RouteJob
  readonly controller: AbortController
  /** Whether the broker has delivered the job to another consumer. */
  isLost: boolean
  isOverdue: boolean
  state: DispatchState | undefined
  readonly calls: Set<PendingCall>
}

/** Route owner in the model. It runs the real transitions; each port call waits for the explorer. */
export class ModelOwner {
  readonly name: string
  /** Whether the owner has stopped consuming and ends its retries. */
  isStopping = false
  /** Whether statements of the owner do not reach PostgreSQL. */
  isCutOff = false
  readonly deliveries = new Set<ModelDelivery>()
  /** Steps whose recorded rejections are published later. */
  readonly endsLater: RouteJob[] = []
  readonly #inProgress = new StepsInProgress()
  #claims = 0

  constructor(name: string) {
    this.name = name
  }

  /**
   * Returns a token derived from the owner, so that schedules that differ only in order lead to the same
   * state.
   */
  nextToken(): number {
    return (this.name.charCodeAt(0) - 64) * 10 + ++this.#claims
  }

  get tokens(): number {
    return this.#claims
  }

  async receive(
    job: RouteJob,
    createPorts: (delivery: ModelDelivery) => StepPorts,
    onTransition: (from: StateName, to: StateName) => void,
  ): Promise<'acknowledged' | 'returned' | 'lost'> {
    const controller = new AbortController()
    const delivery: ModelDelivery = {
      job,
      controller,
      isLost: false,
      isOverdue: false,
      state: undefined,
      calls: new Set(),
    }
    this.deliveries.add(delivery)
    const run = async (): Promise<DispatchState<'done'>> => {
      const step = { lane: 'normal', job, delivery: controller.signal, startedMs: 0 } as const
      const ports = createPorts(delivery)
      let state: DispatchState = { name: 'received', step }
      for (;;) {
        delivery.state = state
        if (state.name === 'done') return state
        if (state.name === 'abandoned') throw new ProcessStopping('the route is stopping')
        const next: DispatchState = await advance(ports, state)
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
