import type { RouteJob } from '../../../jobs/jobs.ts'
import { stepId } from '../../../jobs/step-key.ts'
import type { DispatchState } from './states.ts'

type Run = Promise<Pick<DispatchState<'done'>, 'endsCopies'>>

/** Runs a step only once at a time in this process, however many copies of its job are delivered. */
export class StepsInProgress {
  readonly #running = new Map<string, Run>()

  /**
   * Runs a step. A copy that is delivered while the original is in progress, for example after a reconnect,
   * shares its result. The copy runs afterwards if the original settles nothing, or if the copy names the claim
   * of a previous owner.
   */
  async run(job: RouteJob, start: () => Run): Promise<void> {
    const id = stepId(job)
    const isPlain = job.unsubmittedClaim === undefined
    for (let running = this.#running.get(id); running !== undefined; running = this.#running.get(id)) {
      const { endsCopies } = isPlain ? await running : await running.catch(() => ({ endsCopies: false }))
      if (isPlain && endsCopies) return
    }
    const work = start()
    this.#running.set(id, work)
    try {
      await work
    } finally {
      this.#running.delete(id)
    }
  }

  /** Resolves when the steps that are in progress now have ended. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }
}
