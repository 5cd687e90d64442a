/**
 * Group publishing: jobs sent to a queue in one turn of the event loop travel as one broker message, a JSON
 * array, and share one confirm, like the group commit of a database log. A single job is sent immediately; a
 * burst shares one flush. A promise resolves only after the publisher confirm.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection, Publisher } from 'rabbitmq-client'
import { clock } from '../time/clock.ts'
import type { QueueSpec } from './queue-spec.ts'
import { UnconfirmedQueues, type OnUnconfirmedChange } from './unconfirmed-queues.ts'

/** The broker did not confirm: it is unavailable, blocked by a resource alarm or too slow, or it refused the message. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable'
  /** The message was sent, but whether the queue has it or will have it is unknown. */
  readonly maybePublished: boolean

  constructor(message: string, options: ErrorOptions & { readonly maybePublished?: boolean } = {}) {
    super(message, options)
    this.maybePublished = options.maybePublished ?? false
  }
}

// Large enough that the per-message cost of the broker is negligible, small enough that one redelivery
// repeats little work.
const maxJobs = 64
const maxCharacters = 256 * 1024

/** Counts of groups, jobs and bytes that this process has sent to a queue, confirmed or not. */
export interface PublishedCounts {
  readonly groups: number
  readonly jobs: number
  readonly bytes: number
}

const nothingPublished: PublishedCounts = { groups: 0, jobs: 0, bytes: 0 }

interface Group {
  readonly queue: string
  readonly jobs: string[]
  characters: number
  readonly done: PromiseWithResolvers<void>
}

export class GroupPublisher {
  readonly #connection: Connection
  readonly #publisher: Publisher
  readonly #timeoutMs: number
  readonly #open = new Map<string, Group>()
  #scheduled = false
  #published = 0
  readonly #totals = new Map<string, PublishedCounts>()
  /** Groups that the broker returned as unroutable, although it confirms them. */
  readonly #returned = new Set<string>()
  readonly #silent: UnconfirmedQueues
  /** Number of groups that are sent but not confirmed yet. */
  unconfirmed = 0

  constructor(connection: Connection, timeoutMs: number, onSilence: OnUnconfirmedChange = () => undefined) {
    this.#connection = connection
    this.#timeoutMs = timeoutMs
    this.#publisher = connection.createPublisher({ confirm: true })
    this.#publisher.on('basic.return', ({ messageId }) => this.#returned.add(messageId ?? ''))
    this.#silent = new UnconfirmedQueues((queue) => this.#publishEmpty(queue), onSilence)
    connection.on('connection', () => this.#silent.retryNow())
    connection.on('connection.unblocked', () => this.#silent.retryNow())
  }

  /** Whether the broker is connected and not blocked by a resource alarm; otherwise `send` rejects immediately. */
  get canPublish(): boolean {
    return this.#connection.ready
  }

  /**
   * Returns false while publishers are blocked or this queue does not confirm; `send` to it then rejects
   * immediately.
   */
  accepts(queue: QueueSpec): boolean {
    return this.canPublish && !this.#silent.has(queue.name)
  }

  /** `job` is serialized JSON. */
  send(queue: QueueSpec, job: string): Promise<void> {
    let group = this.#open.get(queue.name)
    if (group === undefined) {
      group = { queue: queue.name, jobs: [], characters: 0, done: Promise.withResolvers() }
      this.#open.set(queue.name, group)
    }
    group.jobs.push(job)
    group.characters += job.length
    if (group.jobs.length >= maxJobs || group.characters >= maxCharacters) {
      this.#open.delete(queue.name)
      void this.#publish(group)
    } else if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#flush())
    }
    return group.done.promise
  }

  /**
   * Returns the counts since the start. They convert the depth of a queue from groups, which the broker
   * counts, to jobs.
   */
  totals(queue: QueueSpec): PublishedCounts {
    return this.#totals.get(queue.name) ?? nothingPublished
  }

  #count(queue: string, jobs: number, bytes: number): void {
    const before = this.#totals.get(queue) ?? nothingPublished
    this.#totals.set(queue, {
      groups: before.groups + 1,
      jobs: before.jobs + jobs,
      bytes: before.bytes + bytes,
    })
  }

  #flush(): void {
    this.#scheduled = false
    const groups = [...this.#open.values()]
    this.#open.clear()
    for (const group of groups) void this.#publish(group)
  }

  async #publish(group: Group): Promise<void> {
    // Check first, so that BrokerUnavailable mostly means that nothing was published.
    if (!this.canPublish) {
      group.done.reject(new BrokerUnavailable('the broker is not connected or blocks publishers'))
      return
    }
    if (this.#silent.has(group.queue)) {
      group.done.reject(new BrokerUnavailable(`queue ${group.queue} does not confirm publishes`))
      return
    }
    this.unconfirmed++
    const timer = setTimeout(() => {
      this.#silent.add(group.queue)
      const message = `the broker did not confirm within ${this.#timeoutMs} ms`
      group.done.reject(new BrokerUnavailable(message, { maybePublished: true }))
    }, this.#timeoutMs)
    try {
      const body = Buffer.from(`[${group.jobs.join(',')}]`)
      const messageId = String(++this.#published)
      this.#count(group.queue, group.jobs.length, body.length)
      const timestamp = Math.floor(clock.now() / 1000)
      await this.#publisher.send(
        { routingKey: group.queue, durable: true, mandatory: true, messageId, timestamp },
        body,
      )
      // The library emits `basic.return` one turn of the event loop after the confirm.
      await nextTurn()
      if (this.#returned.delete(messageId))
        group.done.reject(new BrokerUnavailable(`queue ${group.queue} does not exist`))
      group.done.resolve()
    } catch (error) {
      // Any error except a NACK: the connection may have been lost after the message had arrived.
      const maybePublished = (error as { readonly code?: unknown }).code !== 'NACK'
      const message = 'the broker did not accept the message'
      group.done.reject(new BrokerUnavailable(message, { cause: error, maybePublished }))
    } finally {
      clearTimeout(timer)
      this.unconfirmed--
    }
  }

  async #publishEmpty(queue: string): Promise<void> {
    if (!this.canPublish) throw new BrokerUnavailable('the broker is not connected or blocks publishers')
    await this.#publisher.send({ routingKey: queue, durable: true }, Buffer.from('[]'))
  }

  close(): Promise<void> {
    this.#silent.close()
    return this.#publisher.close()
  }
}
