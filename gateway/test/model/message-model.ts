import type { Cause } from '../../src/channels/cause.ts'
import type { StepClaimResult } from '../../src/records/messages/claim.ts'
import type { StepPlan } from './message-plan.ts'

interface PartState {
  outcome: 'accepted' | 'refused' | 'unknown'
  id: string | null
  /** Result of the first counted receipt. */
  result: Cause | null
  receipts: number
  late: boolean
}

export interface StepEvidence {
  readonly id: string
  readonly step: number
  readonly cause: Cause
  readonly byRecipient: boolean
  /** Whether the evidence comes from another carrier. */
  readonly isForeign: boolean
}

export interface StepDecision {
  readonly step: number
  readonly cause: Cause
  /** Required state of the step. */
  readonly state?: 'unclaimed' | 'claimed' | undefined
}

export interface ExpectedStepEnd {
  readonly cause: Cause
  readonly code: string
  readonly how: 'closes' | 'advances'
}

export type ExpectedResult = 'settled' | 'repeated' | 'late' | 'unmatched'

const codes: Readonly<Record<string, readonly [sms: string, rcs: string]>> = {
  delivered: ['10000', '10000'],
  timeout: ['22000', '32000'],
  'phone-off': ['22003', '32003'],
  failed: ['23000', '33000'],
  'bad-number': ['23003', '33003'],
  'outcome-unknown': ['99999', '99999'],
}

/**
 * Reference model of a message without SQL and batches, independent of the implementation: which evidence
 * counts, how a step can end and what follows.
 */
export class MessageModel {
  /** Current step; 0 means not recorded yet. */
  step = 0
  state: 'unclaimed' | 'claimed' = 'unclaimed'
  closed = false
  /** Report codes of ended steps. */
  readonly codes: string[] = []
  readonly attempts = new Map<number, PartState[]>()
  readonly #steps: readonly StepPlan[]
  /** Token of the last claim. */
  #holder = NaN

  constructor(steps: readonly StepPlan[]) {
    this.#steps = steps
  }

  get running(): boolean {
    return this.step > 0 && !this.closed
  }

  record(): void {
    if (this.step === 0) this.step = 1
  }

  claim(step: number, token: number): StepClaimResult {
    if (!this.running || step !== this.step) return 'stale'
    if (this.state === 'claimed' && this.#holder !== token)
      return this.attempts.has(step) ? 'answered' : 'unanswered'
    this.state = 'claimed'
    this.#holder = token
    return 'claimed'
  }

  unclaim(step: number, token: number): void {
    if (this.running && step === this.step && this.#holder === token) this.state = 'unclaimed'
  }

  answer(step: number, rows: readonly Pick<PartState, 'outcome' | 'id'>[]): void {
    const known = this.attempts.get(step)
    if (known !== undefined) return
    this.attempts.set(
      step,
      rows.map(({ outcome, id }) => ({ outcome, id, result: null, receipts: 0, late: false })),
    )
  }

  /** Applies evidence in order. Returns the result of each and all possible causes of an end of the step. */
  settle(
    heard: readonly StepEvidence[],
    verdicts: readonly StepDecision[],
  ): { results: ExpectedResult[]; ends: Set<Cause> } {
    const ends = new Set<Cause>()
    for (const verdict of verdicts) {
      const holds = verdict.state === undefined || verdict.state === this.state
      if (this.running && verdict.step === this.step && holds) ends.add(verdict.cause)
    }
    // Match all by id first, then the others by recipient.
    const matches = heard.map(({ id, step, isForeign }) =>
      isForeign ? undefined : this.attempts.get(step)?.find((part) => part.id === id),
    )
    const open = new Map<number, PartState[]>()
    const matched = new Map<string, PartState>()
    heard.forEach(({ id, step, byRecipient, isForeign }, n) => {
      if (matches[n] !== undefined || !byRecipient || isForeign) return
      if (!this.running || step !== this.step) return
      const parts = this.attempts.get(step) ?? []
      const free =
        open.get(step) ??
        parts.filter((part) => part.outcome !== 'refused' && part.id === null && part.result === null)
      open.set(step, free)
      const part = matched.get(id) ?? free.shift()
      if (part === undefined) return
      matched.set(id, part)
      matches[n] = part
    })
    const before = new Map([...new Set(matches)].map((part) => [part, part?.receipts ?? 0]))
    const results = heard.map(({ id, step, cause }, n): ExpectedResult => {
      const part = matches[n]
      if (part === undefined) return 'unmatched'
      const first = before.get(part) === 0 && part.receipts === 0
      part.receipts++
      part.id ??= id
      if (!first) return 'repeated'
      part.result = cause
      part.late = !this.running || step !== this.step
      if (part.late) return 'late'
      if (cause !== 'delivered') ends.add(cause)
      return 'settled'
    })
    if (results.includes('settled')) {
      const parts = this.attempts.get(this.step)!
      if (parts.every(({ result }) => result === 'delivered')) ends.add('delivered')
    }
    return { results, ends }
  }

  /** Returns the possible causes if the deadline of the step passes now. */
  findExpiryCauses(): Set<Cause> {
    const parts = this.attempts.get(this.step)
    if (parts === undefined) return new Set([this.state === 'claimed' ? 'outcome-unknown' : 'timeout'])
    const lost = parts.some(({ outcome, result }) => outcome === 'unknown' && result === null)
    return new Set([lost ? 'outcome-unknown' : 'timeout'])
  }

  /** Returns the possible ends of the step with code and consequence. */
  findStepEnds(ends: ReadonlySet<Cause>): ExpectedStepEnd[] {
    const last = this.step === this.#steps.length
    return [...ends].map((cause) => ({
      cause,
      code: codes[cause]![this.#steps[this.step - 1]!.channel === 'sms' ? 0 : 1],
      how: last || cause === 'delivered' ? 'closes' : 'advances',
    }))
  }

  end({ code, how }: ExpectedStepEnd): void {
    this.codes.push(code)
    if (how === 'closes') this.closed = true
    else {
      this.step++
      this.state = 'unclaimed'
    }
  }
}
