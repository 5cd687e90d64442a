/** Where a message that is not found can be, from what its key says and from the figures of now. Pure. */
import type { Operations } from '../../../../generated/operations.ts'

export type KeyFacts = Operations['showKeyFacts']['data']
type Now = Operations['showNow']['data']
/** `is`: here is why. `look`: it may be here. */
export type CheckState = 'ok' | 'look' | 'is' | 'hint'
export type CheckId = 'key' | 'age' | 'cell' | 'intake' | 'parked' | 'ledger' | 'refused' | 'account'
export type Verdict = 'malformed' | 'past' | 'elsewhere' | 'waiting' | 'unsure' | 'never'

export interface Check {
  readonly id: CheckId
  readonly state: CheckState
  /** Key of a text, with what is put into it. */
  readonly text: string
  readonly values: readonly (string | number)[]
}

const dayMs = 86_400_000

export function checkMissing(
  msgKey: string,
  facts: KeyFacts,
  now: Now,
  nowMs: number,
): { readonly checks: readonly Check[]; readonly verdict: Verdict } {
  const check = (id: CheckId, state: CheckState, text: string, ...values: (string | number)[]): Check => ({
    ...{ id, state, text, values },
  })
  const notes = [check('refused', 'hint', 'refusedText'), check('account', 'hint', 'accountText')]
  const { wellFormed, keyTime, cell, ownCell, retentionDays } = facts
  if (!wellFormed)
    return {
      verdict: 'malformed',
      checks: [
        msgKey.length === 32 ? check('key', 'is', 'keyForm') : check('key', 'is', 'keyLength', msgKey.length),
        ...notes,
      ],
    }
  const keyMs = keyTime === null ? null : Date.parse(keyTime)
  const isPast = keyMs !== null && keyMs < nowMs - retentionDays * dayMs
  const isElsewhere = cell !== null && cell !== ownCell
  const accepted = now.queues
    .filter(({ stage }) => stage === 'accepted')
    .reduce((sum, { messages }) => sum + (messages ?? 0), 0)
  const missing = now.ledger.gap === null ? null : now.ledger.gap + (now.ledger.atGate ?? 0)
  const checks = [
    keyMs === null
      ? check('key', 'is', 'keyNoTime')
      : keyMs > nowMs
        ? check('key', 'look', 'keyFuture')
        : check('key', 'ok', 'keyOk'),
    isPast ? check('age', 'is', 'agePast', retentionDays) : check('age', 'ok', 'ageOk', retentionDays),
    isElsewhere ? check('cell', 'is', 'cellOther', cell, ownCell) : check('cell', 'ok', 'cellOk', ownCell),
    now.workers.running === 0
      ? check('intake', 'look', 'intakeNoWorker')
      : accepted > 0
        ? check('intake', 'look', 'intakeWaits', accepted)
        : check('intake', 'ok', 'intakeOk'),
    now.parked > 0 ? check('parked', 'look', 'parkedSome', now.parked) : check('parked', 'ok', 'parkedOk'),
    missing === null
      ? check('ledger', 'look', 'ledgerUnchecked')
      : missing === 0
        ? check('ledger', 'ok', 'ledgerOk')
        : check('ledger', 'look', 'ledgerGap', Math.abs(missing)),
    ...notes,
  ]
  return { checks, verdict: verdictOf(checks) }
}

function verdictOf(checks: readonly Check[]): Verdict {
  const stateOf = (id: CheckId): CheckState | undefined => checks.find((check) => check.id === id)?.state
  if (stateOf('key') === 'is') return 'malformed'
  if (stateOf('cell') === 'is') return 'elsewhere'
  if (stateOf('age') === 'is') return 'past'
  if (stateOf('ledger') === 'look' || stateOf('parked') === 'look') return 'unsure'
  return stateOf('intake') === 'look' ? 'waiting' : 'never'
}
