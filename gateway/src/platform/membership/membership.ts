/**
 * The membership of this process: one heartbeat per second shows the other processes that it is alive, and
 * lists the live ones. Heartbeats have their own connection, so that no slow claim delays them. A process
 * that cannot renew its membership is cut off and stops everything that it owns. See
 * `docs/concepts/ownership.md` for the timings and for the possible effects of two owners at a time.
 */
import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { clock } from '../time/clock.ts'
import type { Queryable } from '../database/database.ts'
import type { Log } from '../logging/log.ts'
import { hasProcessExited } from '../machine.ts'
import { every, type Periodic } from '../time/periodic.ts'
import { processId } from '../process-id.ts'
import { settleOrTimeout } from '../time/settle-or-timeout.ts'
import { enterState } from '../transitions.ts'
import {
  beat,
  claimExactly,
  readNeighbours,
  release,
  removeMember,
  retireMembers,
  steadyKinds,
  type OwnedClaim,
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
/**
 * Measured on the monotonic clock of this process, which then has 2 s to stop its work before others take
 * over.
 */
const defaultLostAfterMs = 5_000
/** Time that a leaving member waits for its claims. Afterwards it deletes its row anyway. */
const leaveMs = 2_000
/** A holder that has not called `hold` for this long loses the duty: its work hangs or has stopped. */
const dutyUnusedMs = 60_000

/**
 * A duty: work that one process at a time does, that needs no start and no stop, and that is harmless if two
 * do it for some seconds.
 */
export interface Duty {
  /**
   * Reports whether this process does the work now. Call it before every piece of the work. Rejects in
   * every state but `active`.
   */
  hold(): Promise<boolean>
  /** Leaves the work to other processes until `hold` is called again. */
  release(): Promise<void>
}

/** How this process claims items of one kind. */
export interface TakeOptions {
  readonly isReady: () => boolean
  /** Called after heartbeats, one call at a time; skipped while the work after a previous heartbeat runs. */
  readonly onRenewed?: () => Promise<void>
}

interface LastClaim {
  /** What the last heartbeat showed, and what was claimed. */
  readonly asked: string
  readonly claims: readonly OwnedClaim[]
  /** It had the result of the claim before it. */
  readonly changedNothing: boolean
}

/** Distinguishes members in tests, which run several in one process. */
let instances = 0
const nextInstance = (): number => (instances += 1)

export class Membership {
  readonly id = `${processId}.${nextInstance()}`
  readonly host = `${hostname()}:${process.pid}`
  readonly #options: MembershipOptions
  readonly #taking = new Map<OwnedKind, TakeOptions>()
  readonly #beats: Periodic
  readonly #watch: NodeJS.Timeout
  #state: MemberState = 'joining'
  #renewedAt = -Infinity
  /** When PostgreSQL began to respond to every heartbeat, on the monotonic clock. */
  #respondingSince = 0
  #nextBeat = 0
  readonly #firstBeat = Promise.withResolvers<undefined>()
  #heartbeat: Heartbeat = { isNew: true, peers: [], ownership: '', othersSettledThrough: null }
  #joins = 0
  /** Time at which each duty was last requested. */
  readonly #dutyRequestedAt = new Map<string, number>()
  #duties: ReadonlySet<string> = new Set()
  /**
   * The last claim of duties. Claims run one after the other, because each releases the duties that it does
   * not name.
   */
  #dutyClaim: Promise<void> = Promise.resolve()
  /** The last claim of each of `steadyKinds`. */
  readonly #lastClaims = new Map<OwnedKind, LastClaim>()
  readonly #lossListeners: (() => void)[] = []
  /** Work after a heartbeat that does not delay the next one. */
  #followUp: Promise<void> | undefined
  #oldestReceiptAt: () => Date | null = () => null

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#beats = every(tickMs, 'renewing the membership of this process', options.log, () =>
      this.#tick().finally(() => this.#firstBeat.resolve(undefined)),
    )
    // Separate from the heartbeat, which may wait for PostgreSQL.
    this.#watch = setInterval(() => this.#lose(), tickMs)
  }

  get state(): MemberState {
    this.#lose()
    return this.#state
  }

  /** True if PostgreSQL has stored a heartbeat recently, so that no other process takes over. */
  get renewed(): boolean {
    const { lostAfterMs = defaultLostAfterMs } = this.#options
    return performance.now() - this.#renewedAt < lostAfterMs
  }

  /** How long PostgreSQL has responded to every heartbeat; 0 while it does not. */
  get respondingMs(): number {
    return this.renewed ? performance.now() - this.#respondingSince : 0
  }

  /** Settles when the first heartbeat was stored or has failed. */
  get firstAttempt(): Promise<void> {
    return this.#firstBeat.promise
  }

  /**
   * At the last heartbeat, other workers had settled all receipts that were published before this time; null if
   * there were no other workers.
   */
  get othersSettledThrough(): Date | null {
    return this.#heartbeat.othersSettledThrough
  }

  /**
   * Counts how often the row of this member was created: by its first heartbeat, and again after the row was
   * gone with everything that the member owned, for example because it was silent for a minute.
   */
  get joins(): number {
    return this.#joins
  }

  /** Lists the other live members that take items of the kind. */
  peers(kind: OwnedKind): string[] {
    return this.#heartbeat.peers.filter(({ takes }) => takes.includes(kind)).map(({ id }) => id)
  }

  /** Adds this process to the members that share the items of the kind. */
  take(kind: OwnedKind, taking: TakeOptions): void {
    this.#taking.set(kind, taking)
    this.renewSoon()
  }

  /** Leaves the items of the kind to the other members. */
  withdraw(kind: OwnedKind): void {
    this.#taking.delete(kind)
    this.renewSoon()
  }

  /** Calls the listener whenever this process is cut off, before other processes take over. */
  onLost(listener: () => void): void {
    this.#lossListeners.push(listener)
  }

  /**
   * Shares with the other workers the publication time of the oldest receipt that this process has not
   * settled.
   */
  shareOldestReceipt(read: () => Date | null): void {
    this.#oldestReceiptAt = read
  }

  renewSoon(): void {
    this.#nextBeat = 0
  }

  /**
   * Claims those of the keys that have no live owner, and releases every other key of the kind except
   * `stopping`. Returns those of `keys` that this member owns now. Sends no statement to repeat a claim that
   * changed nothing, while heartbeats show the same owners as before it.
   */
  async claimExactly(
    kind: OwnedKind,
    keys: readonly string[],
    stopping: readonly string[] = [],
  ): Promise<readonly OwnedClaim[]> {
    const asked = JSON.stringify([this.#heartbeat.ownership, keys, stopping])
    const last = this.#lastClaims.get(kind)
    if (last?.changedNothing === true && last.asked === asked) return last.claims
    const claims = await claimExactly(this.#options.database, this.id, kind, keys, stopping)
    // Unless items were released in the meantime.
    if (steadyKinds.includes(kind) && this.#lastClaims.get(kind) === last)
      this.#lastClaims.set(kind, { asked, claims, changedNothing: isDeepStrictEqual(claims, last?.claims) })
    return claims
  }

  async release(kind: OwnedKind, keys: readonly string[]): Promise<void> {
    try {
      await release(this.#options.database, this.id, kind, keys)
    } finally {
      this.#lastClaims.delete(kind)
    }
  }

  duty(name: string): Duty {
    return {
      hold: async () => {
        const isNew = !this.#dutyRequestedAt.has(name)
        this.#dutyRequestedAt.set(name, performance.now())
        await this.firstAttempt
        if (this.state !== 'active')
          throw new Error('PostgreSQL does not respond to the heartbeats of this process')
        await (isNew ? this.#claimDuties() : this.#dutyClaim)
        return this.renewed && this.#duties.has(name)
      },
      release: async () => {
        if (this.#dutyRequestedAt.delete(name)) await this.release('duty', [name])
      },
    }
  }

  /**
   * Frees the items of ended processes of this machine, which would otherwise stay owned for seconds. Returns
   * whether there were any.
   */
  async retireEnded(): Promise<boolean> {
    const { database, log } = this.#options
    // A heartbeat does not show a process that started after it.
    const ended = (await readNeighbours(database, this.id)).filter(({ pid }) => hasProcessExited(pid))
    if (ended.length === 0) return false
    await retireMembers(
      database,
      ended.map(({ id }) => id),
    )
    log.warn(
      { ended },
      'processes on this machine ended without stopping; other processes take over. Messages that they had claimed become unknown: find out why the processes ended',
    )
    return true
  }

  /** Removes this member. Call it when all work has stopped. */
  async leave(): Promise<void> {
    this.#state = enterState(transitions, this.#state, 'leaving')
    clearInterval(this.#watch)
    await this.#beats.stop()
    await settleOrTimeout(leaveMs, this.#followUp ?? Promise.resolve())
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
      'PostgreSQL does not respond to the heartbeats of this process; it stops all its work and other processes take over. It resumes when the connection is restored. Check PostgreSQL and the network',
    )
    for (const listener of this.#lossListeners) listener()
  }

  #renew(heartbeat: Heartbeat, sentAt: number): void {
    this.#heartbeat = heartbeat
    if (heartbeat.isNew) this.#joins += 1
    if (!this.renewed) {
      this.#respondingSince = performance.now()
      // Others may have taken items while PostgreSQL stored this heartbeat.
      this.#lastClaims.clear()
    }
    // Measured before the statement was sent, so that the time ends here before it ends in PostgreSQL.
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
          'cannot claim the work of this process; retrying after the next heartbeat',
        )
      })
      .finally(() => {
        this.#followUp = undefined
      })
  }

  async #useHeartbeat({ peers }: Heartbeat): Promise<void> {
    for (const { onRenewed } of this.#taking.values()) await onRenewed?.()
    if (this.#dutyRequestedAt.size > 0 || this.#duties.size > 0) await this.#claimDuties()
    const someEnded = peers.some(({ pid }) => pid !== null && hasProcessExited(pid))
    if (someEnded && (await this.retireEnded())) this.renewSoon()
  }

  #claimDuties(): Promise<void> {
    this.#dutyClaim = this.#dutyClaim.catch(() => undefined).then(() => this.#claimRequestedDuties())
    return this.#dutyClaim
  }

  async #claimRequestedDuties(): Promise<void> {
    const now = performance.now()
    for (const [name, requestedAt] of this.#dutyRequestedAt)
      if (now - requestedAt >= dutyUnusedMs) this.#dutyRequestedAt.delete(name)
    const claims = await this.claimExactly('duty', [...this.#dutyRequestedAt.keys()])
    this.#duties = new Set(claims.map(({ key }) => key).filter((name) => this.#dutyRequestedAt.has(name)))
  }
}
