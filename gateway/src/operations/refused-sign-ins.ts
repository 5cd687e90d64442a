/**
 * Records refused sign-ins in the audit log, at most 60 per minute over all addresses: anyone who reaches the
 * port can cause them, and rows are kept forever. The next row has the number of omitted ones.
 */
import { recordRefusal } from './rights.ts'
import type { AuditContext } from '../identity/audit/context.ts'
import { isOperatorName } from '../identity/operators/name.ts'
import type { Database } from '../platform/database/database.ts'
import { RefusalThrottle } from './throttle.ts'

const maxRows = 60

export class RefusedSignIns {
  readonly #database: Database
  readonly #rows = new RefusalThrottle(maxRows)
  #leftOut = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** `claimed` is the unproven owner of the key or name, so it is not recorded as the actor. */
  async record(
    action: string,
    act: AuditContext,
    claimed: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    if (this.#rows.tryReserve('all') > 0) {
      this.leaveOut()
      return
    }
    const leftOut = this.#leftOut
    this.#leftOut = 0
    await recordRefusal(this.#database, action, act, 'sign-in', {
      // Only a valid name is recorded: a user may have typed a password into this field.
      ...(isOperatorName(claimed) ? { claimed } : {}),
      ...more,
      ...(leftOut === 0 ? {} : { leftOut }),
    })
  }

  /** Counts an attempt that was refused without a check. */
  leaveOut(): void {
    this.#leftOut += 1
  }
}
