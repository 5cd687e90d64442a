/** Checks where an unknown message can be, from its key and the current figures. */
import type { Operations } from '../../../../generated/operations.ts'

export type KeyFacts = Operations['showKeyFacts']['data']
type Now = Operations['showNow']['data']
/** `cause` explains why the message is not found; `check` marks a place where it can be. */
export type CheckState = 'ok' | 'check' | 'cause' | 'hint'
export type CheckId = 'key' | 'age' | 'cell' | 'intake' | 'parked' | 'ledger' | 'refused' | 'account'
export type CheckSummary = 'malformed' | 'past' | 'elsewhere' | 'waiting' | 'unsure' | 'never'

export interface Check {
  readonly id: CheckId
  readonly state: CheckState
  /** Text key; `values` are its arguments. */
  readonly text: string
  readonly values: readonly (string | number)[]
}

const dayMs = 86_400_000

export function checkMissing(
  msgKey: string,
  facts: KeyFacts,
  now: Now,
  nowMs: number,
): { readonly checks: readonly Check[]; readonly verdict: CheckSummary } {
  const check = (id: CheckId, state: CheckState, text: string, ...values: (string | number)[]): Check => ({
    id,
    state,
    text,
    values,
  })
  const notes = [check('refused', 'hint', 'refusedText'), check('account', 'hint', 'accountText')]
  const { wellFormed, keyTime, cell, ownCell, retentionDays } = facts
  if (!wellFormed)
    return {
      verdict: 'malformed',
      checks: [
        msgKey.length === 32
          ? check('key', 'cause', 'keyForm')
          : check('key', 'cause', 'keyLength', msgKey.length),
        ...notes,
      ],
    }
  const keyMs = keyTime === null ? null : Date.parse(keyTime)
  const isPast = keyMs !== null && keyMs < nowMs - retentionDays * dayMs
  const isElsewhere = cell !== null && cell !== ownCell
  const accepted = now.queues
    .filter(({ stage }) => stage === 'accepted')
    .reduce((sum, { messages }) => sum + (messages ?? 0), 0)
  const missing = now.ledger.gap === null ? null : now.ledger.gap + (now.ledger.unrecorded ?? 0)
  const checks = [
    keyMs === null
      ? check('key', 'cause', 'keyNoTime')
      : keyMs > nowMs
        ? check('key', 'check', 'keyFuture')
        : check('key', 'ok', 'keyOk'),
    isPast ? check('age', 'cause', 'agePast', retentionDays) : check('age', 'ok', 'ageOk', retentionDays),
    isElsewhere ? check('cell', 'cause', 'cellOther', cell, ownCell) : check('cell', 'ok', 'cellOk', ownCell),
    now.workers.running === 0
      ? check('intake', 'check', 'intakeNoWorker')
      : accepted > 0
        ? check('intake', 'check', 'intakeWaits', accepted)
        : check('intake', 'ok', 'intakeOk'),
    now.parked > 0 ? check('parked', 'check', 'parkedSome', now.parked) : check('parked', 'ok', 'parkedOk'),
    missing === null
      ? check('ledger', 'check', 'ledgerUnchecked')
      : missing === 0
        ? check('ledger', 'ok', 'ledgerOk')
        : check('ledger', 'check', 'ledgerGap', Math.abs(missing)),
    ...notes,
  ]
  return { checks, verdict: summarizeChecks(checks) }
}

function summarizeChecks(checks: readonly Check[]): CheckSummary {
  const findState = (id: CheckId): CheckState | undefined => checks.find((check) => check.id === id)?.state
  if (findState('key') === 'cause') return 'malformed'
  if (findState('cell') === 'cause') return 'elsewhere'
  if (findState('age') === 'cause') return 'past'
  if (findState('ledger') === 'check' || findState('parked') === 'check') return 'unsure'
  return findState('intake') === 'check' ? 'waiting' : 'never'
}
