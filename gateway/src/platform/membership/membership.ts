/**
 * The membership of this process: one heartbeat per second shows the other processes that it is alive, and lists the live
 * ones. Heartbeats have their own connection, so that no slow claim delays them. A process that cannot renew its membership
 * is cut off and stops everything that it owns. See `docs/ownership.md` for the timings and for what two owners at a time
 * can do. Work that one process at a time does and that needs no start and no stop is a duty.
 */
import { hostname } from 'node:os'
import { clock } from '../clock.ts'
import type { Queryable } from '../database.ts'
import type { Log } from '../log.ts'
import { hasEnded } from '../machine.ts'
import { every, type Periodic } from '../periodic.ts'
import { processId } from '../process-id.ts'
import { settlesWithin } from '../settles-within.ts'
import { enterState } from '../transitions.ts'
import {
  beat,
  claimExactly,
  readNeighbours,
  release,
  removeMember,
  retireMembers,
  type Claim,
  type Heartbeat,
  type OwnedKind,
} from './tables.ts'

const transitions = {
  joining: ['active', 'leaving'],
  /** PostgreSQL stores the heartbeats. */
  active: ['active', 'cut off', 'leaving'],
  /** No heartbeat was stored for five seconds. */
  'cut off': ['active', 'leaving'],
  leaving: [],
} as const

type MemberState = keyof typeof transitions

export interface MembershipOptions {
  /** See `openHeartbeatDatabase`. */
  readonly heartbeats: Queryable
  /** The pool for claims. */
  readonly database: Queryable
  readonly role: string
  readonly log: Log
  /** Tests set it lower. */
  readonly lostAfterMs?: number
}

const tickMs = 250
const renewEveryMs = 1_000
/** Measured on the monotonic clock of this process, which then has 2 s to stop its work before others take over. */
const defaultLostAfterMs = 5_000
/** A member that leaves waits this long for its claims. Its rows expire if they end later. */
const leaveMs = 2_000
/** A holder that has not called `hold` for this long loses the duty: its work hangs or has stopped. */
const dutyUnusedMs = 60_000

/** Work that one process at a time does, and that is harmless when two do it for some seconds. */
export interface Duty {
  /** Reports whether this process does the work now. Call it before every piece of the work. Rejects while cut off. */
  hold(): Promise<boolean>
  /** Leaves the work to other processes, until `hold` is called again. */
  release(): Promise<void>
}

/** How this process takes things of one kind. */
export interface Taking {
  readonly isReady: () => boolean
  /** Called after every heartbeat. */
  readonly onRenewed?: () => Promise<void>
}

/** Tests have several members in one process. */
let instances = 0
const nextInstance = (): number => (instances += 1)

export class Membership {
  readonly id = `${processId}.${nextInstance()}`
  readonly host = `${hostname()}:${process.pid}`
  readonly #options: MembershipOptions
  readonly #taking = new Map<OwnedKind, Taking>()
  readonly #beats: Periodic
  readonly #watch: NodeJS.Timeout
  #state: MemberState = 'joining'
  #renewedAt = -Infinity
  /** When the first of the heartbeats without a break was answered. */
  #answersSince = 0
  #nextBeat = 0
  readonly #firstBeat = Promise.withResolvers<undefined>()
  #heartbeat: Heartbeat = { isNew: true, peers: [], hasNeighbours: false, othersSettledThrough: null }
  #joins = 0
  /** When each duty was last asked for. */
  readonly #dutyAskedAt = new Map<string, number>()
  #duties: ReadonlySet<string> = new Set()
  /** The last claim of duties. Claims follow each other, because each one releases what it does not name. */
  #dutyClaim: Promise<void> = Promise.resolve()
  readonly #lossListeners: (() => void)[] = []
  /** The work that follows a heartbeat and does not delay the next one. */
  #followUp: Promise<void> | undefined
  #oldestReceiptAt: () => Date | null = () => null

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#beats = every(tickMs, 'renewing the membership of this process', options.log, () =>
      this.#tick().finally(() => this.#firstBeat.resolve(undefined)),
    )
    // Apart from the heartbeat, which may wait for PostgreSQL.
    this.#watch = setInterval(() => this.#lose(), tickMs)
  }

  get state(): MemberState {
    this.#lose()
    return this.#state
  }

  /** PostgreSQL has stored a heartbeat recently, so no other process takes what this one owns. */
  get renewed(): boolean {
    const { lostAfterMs = defaultLostAfterMs } = this.#options
    return performance.now() - this.#renewedAt < lostAfterMs
  }

  /** The time for which PostgreSQL has answered without a break; 0 while it does not. */
  get answeringMs(): number {
    return this.renewed ? performance.now() - this.#answersSince : 0
  }

  /** Settles when the first heartbeat was stored or has failed. */
  get firstAttempt(): Promise<void> {
    return this.#firstBeat.promise
  }

  get othersSettledThrough(): Date | null {
    return this.#heartbeat.othersSettledThrough
  }

  /** Grows when others may have removed the rows that name this member, because it was silent for a minute. */
  get joins(): number {
    return this.#joins
  }

  /** The other live members that take things of the kind. */
  peers(kind: OwnedKind): string[] {
    return this.#heartbeat.peers.filter(({ takes }) => takes.includes(kind)).map(({ id }) => id)
  }

  /** Makes this process one of those that share the things of the kind. */
  take(kind: OwnedKind, taking: Taking): void {
    this.#taking.set(kind, taking)
    this.renewSoon()
  }

  /** Leaves the things of the kind to the other members. */
  withdraw(kind: OwnedKind): void {
    this.#taking.delete(kind)
    this.renewSoon()
  }

  /** Calls the listener whenever this process is cut off, before others may take what it owns. */
  onLost(listener: () => void): void {
    this.#lossListeners.push(listener)
  }

  /** Shares with the other workers when the oldest receipt that this process has not settled was published. */
  shareOldestReceipt(read: () => Date | null): void {
    this.#oldestReceiptAt = read
  }

  renewSoon(): void {
    this.#nextBeat = 0
  }

  claimExactly(kind: OwnedKind, keys: readonly string[], stopping: readonly string[] = []): Promise<Claim[]> {
    return claimExactly(this.#options.database, this.id, kind, keys, stopping)
  }

  release(kind: OwnedKind, keys: readonly string[]): Promise<void> {
    return release(this.#options.database, this.id, kind, keys)
  }

  duty(name: string): Duty {
    return {
      hold: async () => {
        const isNew = !this.#dutyAskedAt.has(name)
        this.#dutyAskedAt.set(name, performance.now())
        await this.firstAttempt
        if (this.state !== 'active')
          throw new Error('PostgreSQL does not answer the heartbeats of this process')
        await (isNew ? this.#claimDuties() : this.#dutyClaim)
        return this.renewed && this.#duties.has(name)
      },
      release: async () => {
        if (this.#dutyAskedAt.delete(name)) await this.release('duty', [name])
      },
    }
  }

  /** Frees what ended processes of this machine own; returns whether there were any. Their rows would last for seconds. */
  async retireEnded(): Promise<boolean> {
    const { database, log } = this.#options
    const ended = (await readNeighbours(database, this.id)).filter(({ pid }) => hasEnded(pid))
    if (ended.length === 0) return false
    await retireMembers(
      database,
      ended.map(({ id }) => id),
    )
    log.warn(
      { ended },
      'processes on this machine ended without stopping; others take over what they owned. What they had claimed becomes unknown: find out why they ended',
    )
    return true
  }

  /** Call it when all work has stopped. */
  async leave(): Promise<void> {
    this.#state = enterState(transitions, this.#state, 'leaving')
    clearInterval(this.#watch)
    await this.#beats.stop()
    await settlesWithin(leaveMs, this.#followUp ?? Promise.resolve())
    const { heartbeats, log } = this.#options
    await removeMember(heartbeats, this.id).catch((error: unknown) => {
      log.debug({ err: error as Error }, 'cannot remove the row of this member; it expires')
    })
  }

  #lose(): void {
    if (this.#state !== 'active' || this.renewed) return
    this.#state = enterState(transitions, this.#state, 'cut off')
    this.#duties = new Set()
    this.#options.log.warn(
      'PostgreSQL does not answer the heartbeats of this process: it stops all work that it owns, and other processes take over if they can. It takes its share again when the connection is back: check PostgreSQL and the network',
    )
    for (const listener of this.#lossListeners) listener()
  }

  #renew(heartbeat: Heartbeat, sentAt: number): void {
    this.#heartbeat = heartbeat
    if (heartbeat.isNew) this.#joins += 1
    if (!this.renewed) this.#answersSince = performance.now()
    // PostgreSQL began to count after the statement was sent: here the time ends first.
    this.#renewedAt = sentAt
    this.#nextBeat = sentAt + renewEveryMs
    this.#state = enterState(transitions, this.#state, 'active')
  }

  async #tick(): Promise<void> {
    if (performance.now() < this.#nextBeat) return
    const sentAt = performance.now()
    const { heartbeats, role } = this.#options
    const takes = [...this.#taking].filter(([, { isReady }]) => isReady()).map(([kind]) => kind)
    const heartbeat = await beat(heartbeats, {
      id: this.id,
      role,
      host: this.host,
      takes,
      clockAgrees: clock.agrees,
      oldestReceiptAt: this.#oldestReceiptAt(),
    })
    if (this.#state === 'leaving') return
    this.#renew(heartbeat, sentAt)
    this.#followUp ??= this.#useHeartbeat(heartbeat)
      .catch((error: unknown) => {
        this.#options.log.warn(
          { err: error as Error },
          'cannot claim what this process should own; trying again after the next heartbeat',
        )
      })
      .finally(() => {
        this.#followUp = undefined
      })
  }

  async #useHeartbeat({ hasNeighbours }: Heartbeat): Promise<void> {
    for (const { onRenewed } of this.#taking.values()) await onRenewed?.()
    if (this.#dutyAskedAt.size > 0 || this.#duties.size > 0) await this.#claimDuties()
    if (hasNeighbours && (await this.retireEnded())) this.renewSoon()
  }

  #claimDuties(): Promise<void> {
    this.#dutyClaim = this.#dutyClaim.catch(() => undefined).then(() => this.#claimAskedDuties())
    return this.#dutyClaim
  }

  async #claimAskedDuties(): Promise<void> {
    const now = performance.now()
    for (const [name, askedAt] of this.#dutyAskedAt)
      if (now - askedAt >= dutyUnusedMs) this.#dutyAskedAt.delete(name)
    const claims = await this.claimExactly('duty', [...this.#dutyAskedAt.keys()])
    this.#duties = new Set(claims.map(({ key }) => key).filter((name) => this.#dutyAskedAt.has(name)))
  }
}
