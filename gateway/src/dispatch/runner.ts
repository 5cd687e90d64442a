/**
 * One route, run by the one process that owns it. For every released step: wait for link and pace, claim it,
 * submit its parts, record what the carrier answered, and only then acknowledge. Parts that were throttled or
 * could not be reached are tried again here, without going back through the queue.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { channels } from '../channels/registry.ts'
import type { Part } from '../channels/channel.ts'
import type { Connector, SubmitOutcome } from '../connectors/connector.ts'
import type { Refusal } from '../messages/attempts.ts'
import type { StepKey } from '../messages/claim.ts'
import type { RouteJob } from '../messages/jobs.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Route } from '../routes/route.ts'
import type { Books } from './books.ts'
import { Gate } from './gate.ts'
import type { Link } from './link.ts'
import { Pace } from './pace.ts'
import { sortOutcomes, toAttempt, unknownAttempts } from './outcomes.ts'

export interface RunnerContext {
  readonly route: Route
  readonly connector: Connector
  readonly link: Link
  readonly books: Books
  readonly metrics: Metrics
  /** Hands a failed step to settle; resolves when durable. */
  readonly conclude: (key: StepKey, refused: Refusal) => Promise<void>
  /** Refusals recorded by a predecessor that may not have been handed on. */
  readonly concludeAgain: (key: StepKey) => Promise<void>
  readonly signal: AbortSignal
}

const firstBackOffMs = 200
const longestBackOffMs = 5_000

export class RouteRunner {
  readonly #context: RunnerContext
  readonly #pace: Pace
  /** Claims are taken a window ahead, so that the carrier's window never waits for a commit. */
  readonly #claimed: Gate
  readonly #window: Gate
  readonly #inHand = new Map<string, Promise<void>>()

  constructor(context: RunnerContext) {
    this.#context = context
    this.#pace = new Pace(context.route.partsPerSecond)
    this.#claimed = new Gate(context.connector.window * 2)
    this.#window = new Gate(context.connector.window)
  }

  /** Rejects only when the runner is stopping; the job then goes back to its queue. */
  run(job: RouteJob): Promise<void> {
    const id = `${job.msgKey}/${job.step}/${job.try}`
    // A copy that comes while the original is in hand (a reconnect) shares its fate.
    const known = this.#inHand.get(id)
    if (known !== undefined) return known
    const work = this.#carry(job).finally(() => this.#inHand.delete(id))
    this.#inHand.set(id, work)
    return work
  }

  async #carry(job: RouteJob): Promise<void> {
    const { books, link, signal, metrics, route } = this.#context
    let open = channels[job.content.channel].parts(job.content, job.msgKey)
    let claimHeld = false
    for (let tries = 1; ; tries++) {
      await link.untilUp(signal)
      await this.#pace.take(open.length, signal)
      await this.#claimed.enter(open.length, signal)
      const entered = open.length
      try {
        // Past its deadline settle closes the step; whatever happens then, it must not be submitted.
        if (Date.now() >= job.dueAt) return
        if (!claimHeld) {
          const claim = await books.claim(job, signal)
          if (claim !== 'claimed') return await this.#yield(job, claim, open)
        }
        const outcomes = await Promise.all(open.map((part) => this.#submit(job, part)))
        for (const outcome of outcomes) metrics.outcomes.inc({ route: route.id, outcome: outcome.kind })
        const sorted = sortOutcomes(open, outcomes)
        const rows = sorted.answered.map(({ part, outcome }) =>
          toAttempt(job, route.id, part, outcome, new Date()),
        )
        if (rows.length > 0) await books.record(rows, signal)
        const refused = rows.find((row) => row.outcome === 'refused')
        if (refused !== undefined) return await this.#context.conclude(job, refused)
        if (sorted.again.length === 0) return
        open = sorted.again
        claimHeld = rows.length > 0
        if (!claimHeld) await books.unclaim(job, signal)
        if (sorted.pauseMs > 0) this.#pace.pause(sorted.pauseMs)
      } finally {
        this.#claimed.leave(entered)
      }
      // Throttled parts wait for the pace; unreachable ones back off by themselves.
      if (link.up) await delay(backOffMs(tries), undefined, { signal })
    }
  }

  async #submit(job: RouteJob, content: Part): Promise<SubmitOutcome> {
    const { connector, metrics, route } = this.#context
    // Claimed already, so a stopping process still submits it: a claim without an outcome would be `unknown`.
    await this.#window.enter(1)
    const started = performance.now()
    try {
      return await connector.submit({
        reference: `${job.msgKey}-${job.step}-${job.try}-${content.part}`,
        from: channels[job.content.channel].sender(job.content),
        to: job.to,
        content,
        validUntil: new Date(job.dueAt),
      })
    } finally {
      metrics.submitSeconds.observe({ route: route.id }, (performance.now() - started) / 1000)
      this.#window.leave(1)
    }
  }

  /** The claim was not ours: somebody began this step before. */
  async #yield(
    job: RouteJob,
    claim: 'interrupted' | 'recorded' | 'stale',
    parts: readonly Part[],
  ): Promise<void> {
    if (claim === 'stale') return
    // Parts without a recorded answer were perhaps submitted; recorded ones are not overwritten.
    if (claim === 'interrupted' || parts.length > 1) {
      await this.#context.books.record(
        unknownAttempts(job, this.#context.route.id, parts, new Date()),
        this.#context.signal,
      )
    }
    if (claim === 'recorded') await this.#context.concludeAgain(job)
  }
}

function backOffMs(tries: number): number {
  const ceiling = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(tries - 1, 10))
  return ceiling / 2 + Math.random() * (ceiling / 2)
}
