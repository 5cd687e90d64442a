/**
 * Records refused sign-ins in the audit log, at most 60 a minute from all addresses together: anybody who reaches the port can cause
 * them, and rows are kept for ever. The next row says how many were left out. Called by `authenticate.ts` and by
 * what signs operators in.
 */
import { recordRefusal } from '../acts/rights.ts'
import type { Act } from '../audit/act.ts'
import { isOperatorName } from '../operators/name.ts'
import type { Database } from '../platform/database.ts'
import { RefusalThrottle } from './throttle.ts'

const maxRows = 60

export class RefusedSignIns {
  readonly #database: Database
  readonly #rows = new RefusalThrottle(maxRows)
  #leftOut = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** `claimed` is whose key or name it would be: nobody has proved it, so it is no actor. */
  async record(
    action: string,
    act: Act,
    claimed: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    if (this.#rows.take('all') > 0) {
      this.leaveOut()
      return
    }
    const leftOut = this.#leftOut
    this.#leftOut = 0
    await recordRefusal(this.#database, action, act, 'sign-in', {
      // Somebody may have typed a password there.
      ...(isOperatorName(claimed) ? { claimed } : {}),
      ...more,
      ...(leftOut === 0 ? {} : { leftOut }),
    })
  }

  /** A try that was refused without a check: it is only counted. */
  leaveOut(): void {
    this.#leftOut += 1
  }
}
