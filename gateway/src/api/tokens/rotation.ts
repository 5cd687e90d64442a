/** Rotates the keys that sign tokens and says what each does, for commands and the admin API. Neither sees a key: every process derives it. */
import type { ActAudit } from '../../acts/act-audit.ts'
import { addTokenKey, type ListedTokenKey } from './key-queries.ts'
import { tokenLifetimeMs } from './key-ring.ts'

/** API processes read the keys every second. */
const delaySeconds = 5

export interface RotatedTokenKey {
  readonly id: number
  readonly signsFrom: Date
  /** Tokens of earlier keys are refused from then on. */
  readonly earlierRefused: boolean
}

export async function rotateTokenKey(audit: ActAudit, leaked: boolean): Promise<RotatedTokenKey> {
  const { id, signsFrom } = await audit.change(async (transaction) => {
    const key = { createdBy: audit.act.by, delaySeconds, retireEarlier: leaked }
    const added = await addTokenKey(transaction, key)
    return [added, { target: `token key ${added.id}`, details: { retireEarlier: leaked } }]
  })
  return { id, signsFrom, earlierRefused: leaked }
}

/** `keys` in their order; of the last one nothing follows. */
export function withStates<Key extends Pick<ListedTokenKey, 'retiredAt' | 'signsFrom'>>(
  keys: readonly Key[],
  nowMs: number,
): (Key & { readonly state: string })[] {
  return keys.map((key, index) => ({ ...key, state: stateOf(key, keys[index + 1], nowMs) }))
}

type Times = Pick<ListedTokenKey, 'retiredAt' | 'signsFrom'>

function stateOf(key: Times, next: Times | undefined, nowMs: number): string {
  if (key.retiredAt !== null && key.retiredAt.getTime() <= nowMs) return 'retired'
  if (key.signsFrom.getTime() > nowMs) return `signs from ${key.signsFrom.toISOString()}`
  if (next === undefined || next.signsFrom.getTime() > nowMs) return 'signs'
  const until = next.signsFrom.getTime() + tokenLifetimeMs
  return until <= nowMs ? 'retired' : `accepted until ${new Date(until).toISOString()}`
}
