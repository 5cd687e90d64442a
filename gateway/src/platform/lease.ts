/**
 * A lease: the right to do work that one process at a time should do, with a name, a holder and an end on PostgreSQL's
 * clock. A process that is stopped or cut off keeps the others from the work only until its lease ends; a session lock
 * would keep them from it until the operating system ends the session, after hours. A holder that is stopped can wake up
 * in the middle of its work after its lease has ended, so the work must be harmless when two processes do it.
 */
import { hostname } from 'node:os'
import type { Queryable } from './database.ts'
import { processId } from './process-id.ts'

export interface LeaseOptions {
  readonly name: string
  /** How long a holder that no longer answers keeps the others from the work. */
  readonly durationMs: number
}

/** A holder renews its lease, and others ask for it, this many times while it lasts. */
const turns = 4

/** Two leases of one process exclude each other, too. */
let leases = 0
const nextLease = (): number => (leases += 1)

export class Lease {
  readonly #database: Queryable
  readonly #options: LeaseOptions
  readonly #holder = `${hostname()}/${process.pid}/${processId}.${nextLease()}`
  #heldUntil = 0
  #askAt = 0

  constructor(database: Queryable, options: LeaseOptions) {
    this.#database = database
    this.#options = options
  }

  /**
   * True when this process may work now. Call it before every piece of the work and stop when it is false. It takes or
   * renews the lease with one statement, and with none while the last answer is recent.
   */
  async hold(): Promise<boolean> {
    const { name, durationMs } = this.#options
    const asked = performance.now()
    if (asked >= this.#askAt) {
      const taken = await this.#database.query({
        name: 'hold-lease',
        text,
        values: [name, this.#holder, durationMs],
      })
      this.#askAt = asked + durationMs / turns
      // PostgreSQL began to count after the statement was sent: here the lease ends first.
      this.#heldUntil = taken.rowCount === 1 ? asked + durationMs : 0
    }
    return performance.now() < this.#heldUntil
  }

  /** Gives the lease up, so that another process need not wait for its end. */
  async release(): Promise<void> {
    this.#heldUntil = 0
    this.#askAt = 0
    await this.#database.query('delete from leases where name = $1 and holder = $2', [
      this.#options.name,
      this.#holder,
    ])
  }
}

// The first condition answers everyone but the holder without a write; the second one decides between processes that
// find the lease ended at the same time. A lease that ends twice its duration from now was taken before
// PostgreSQL moved to a host whose clock is behind: it counts as ended, or a dead holder would keep it for the difference.
// Twice, because the holder may have renewed it after this transaction began.
const lasting = `between now() and now() + $3 * interval '2 milliseconds'`

const text = `
  insert into leases as l (name, holder, expires_at)
  select $1, $2, now() + $3 * interval '1 millisecond'
   where not exists (select from leases where name = $1 and holder <> $2 and expires_at ${lasting})
  on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
   where l.holder = excluded.holder or l.expires_at not ${lasting}`
