/** `postern token-key rotate` and `list`. The commands never see a key: every process derives it. */
import { addTokenKey, listTokenKeys, type ListedTokenKey } from '../../api/tokens/key-queries.ts'
import { tokenLifetimeMs } from '../../api/tokens/key-ring.ts'
import { clock } from '../../platform/clock.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

/** API processes read the keys every second. */
const delaySeconds = 5

export interface RotateTokenKeyOptions {
  readonly leaked?: true
}

export function rotateTokenKey(invocation: Invocation, { leaked }: RotateTokenKeyOptions): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) => {
    const retireEarlier = leaked === true
    const { id, signsFrom } = await audit.change(async (transaction) => {
      const key = { createdBy: audit.act.by, delaySeconds, retireEarlier }
      const added = await addTokenKey(transaction, key)
      return [added, { target: `token key ${added.id}`, details: { retireEarlier } }]
    })
    return {
      json: { id, signsFrom, earlierRefused: retireEarlier },
      lines: [
        `Key ${id} signs tokens from ${signsFrom.toISOString()} on.`,
        retireEarlier
          ? 'Tokens of earlier keys are refused from then on; clients request new ones.'
          : 'Tokens of earlier keys are accepted until they expire.',
      ],
    }
  })
}

export function listRing(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const keys = await listTokenKeys(database)
    const states = keys.map((key, index) => stateOf(key, keys[index + 1], clock.now()))
    const rows = keys.map((key, index) => [
      String(key.id),
      states[index]!,
      `${key.createdAt.toISOString()} ${key.createdBy}`,
    ])
    return {
      json: { keys: keys.map((key, index) => ({ ...key, state: states[index] })) },
      lines: table([['id', 'state', 'created'], ...rows]),
    }
  })
}

function stateOf(key: ListedTokenKey, next: ListedTokenKey | undefined, nowMs: number): string {
  if (key.retiredAt !== null && key.retiredAt.getTime() <= nowMs) return 'retired'
  if (key.signsFrom.getTime() > nowMs) return `signs from ${key.signsFrom.toISOString()}`
  if (next === undefined || next.signsFrom.getTime() > nowMs) return 'signs'
  const until = next.signsFrom.getTime() + tokenLifetimeMs
  return until <= nowMs ? 'retired' : `accepted until ${new Date(until).toISOString()}`
}
