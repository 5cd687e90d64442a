/** Rotates token keys and describes their states. Neither handles a key: every process derives it. */
import type { AuditRecorder } from '../audit-recorder.ts'
import { addTokenKey, type TokenKeyView } from '../../edge/api/tokens/key-queries.ts'
import { tokenLifetimeMs } from '../../edge/api/tokens/key-ring.ts'

/** API processes read the keys every second, so all know a key before it signs. */
const delaySeconds = 5

export interface RotatedTokenKey {
  readonly id: number
  readonly signsFrom: Date
  /** Whether tokens of earlier keys are rejected from then on. */
  readonly earlierRefused: boolean
}

export async function rotateTokenKey(audit: AuditRecorder, leaked: boolean): Promise<RotatedTokenKey> {
  const { id, signsFrom } = await audit.change(async (transaction) => {
    const key = { createdBy: audit.act.by, delaySeconds, retireEarlier: leaked }
    const added = await addTokenKey(transaction, key)
    return [added, { target: `token key ${added.id}`, details: { retireEarlier: leaked } }]
  })
  return { id, signsFrom, earlierRefused: leaked }
}

/** Adds the state of each key. `keys` are in order; the last one has no successor. */
export function withStates<Key extends Pick<TokenKeyView, 'retiredAt' | 'signsFrom'>>(
  keys: readonly Key[],
  nowMs: number,
): (Key & { readonly state: string })[] {
  return keys.map((key, index) => ({ ...key, state: describeState(key, keys[index + 1], nowMs) }))
}

type Times = Pick<TokenKeyView, 'retiredAt' | 'signsFrom'>

function describeState(key: Times, next: Times | undefined, nowMs: number): string {
  if (key.retiredAt !== null && key.retiredAt.getTime() <= nowMs) return 'retired'
  if (key.signsFrom.getTime() > nowMs) return `signs from ${key.signsFrom.toISOString()}`
  if (next === undefined || next.signsFrom.getTime() > nowMs) return 'signs'
  const until = next.signsFrom.getTime() + tokenLifetimeMs
  return until <= nowMs ? 'retired' : `accepted until ${new Date(until).toISOString()}`
}
