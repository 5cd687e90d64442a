import type { AttemptRow } from '../../../src/records/attempts/attempts.ts'
import type { StepClaimResult, StepClaim } from '../../../src/records/messages/claim.ts'

type Answer = Pick<AttemptRow, 'part' | 'outcome'>

interface ClaimRow {
  state: 'unclaimed' | 'claimed'
  token: number | null
  /** Route on which another owner can take over the claim. */
  route: string | null
  fenced: readonly number[]
}

/**
 * In-memory implementation of `records/messages/claim.ts` and `records/attempts/attempts.ts` for one step.
 * `claims-contract.test.ts` compares every operation in every state with PostgreSQL.
 */
export class MemoryClaims {
  row: ClaimRow | null = { state: 'unclaimed', token: null, route: null, fenced: [] }
  readonly outcomes = new Map<number, AttemptRow['outcome']>()

  claim({ token, repeatableOn }: StepClaim): StepClaimResult {
    const { row } = this
    if (row === null || row.fenced.includes(token)) return 'stale'
    if (row.state === 'claimed' && row.token !== token)
      return this.outcomes.size > 0 ? 'answered' : 'unanswered'
    this.row = { ...row, state: 'claimed', token, route: repeatableOn ?? null }
    return 'claimed'
  }

  returnClaim({ token }: StepClaim): void {
    if (this.row?.token === token) this.row = { ...this.row, state: 'unclaimed', token: null }
    if (this.row === null || this.row.fenced.includes(token)) return
    this.row = { ...this.row, fenced: [token, ...this.row.fenced] }
  }

  takeOver({ token, repeatableOn }: StepClaim): boolean {
    const { row } = this
    if (row?.state !== 'claimed' || row.token === null || this.outcomes.size > 0) return false
    if (repeatableOn === undefined || row.route !== repeatableOn) return false
    this.row = { ...row, token }
    return true
  }

  record(rows: readonly Answer[]): void {
    for (const { part, outcome } of rows)
      if ((this.outcomes.get(part) ?? 'unknown') === 'unknown') this.outcomes.set(part, outcome)
  }

  /** Prevents takeover of the claim. Returns false if another owner holds the step. */
  keep({ token }: StepClaim): boolean {
    if (this.row === null) return true
    if (this.row.token !== token) return false
    this.row = { ...this.row, route: null }
    return true
  }
}
