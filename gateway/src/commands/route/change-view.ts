/** What `postern route enable`, `pause`, `drain`, `disable`, `rate` and `delete` print, over either way. Pure. */
import { effects } from '../../acts/route-effects.ts'
import type { Result } from '../result.ts'

const following = 'running workers follow within two seconds'

export const trafficOf = { pause: 'paused', drain: 'draining' } as const

export function enabledResult(id: string, waiting: number): Result {
  return {
    json: { id, enabled: true, waiting },
    lines: [`route ${id} enabled; ${following}`, `${steps(waiting)} for it and will be sent.`],
  }
}

export function disabledResult(id: string, waiting: number): Result {
  return {
    json: { id, enabled: false, waiting },
    lines: [
      `route ${id} disabled; ${following}`,
      `${steps(waiting)} for it, besides those in its queues. All of them move to other routes that serve them; the rest waits until the route is enabled again or their deadline passes.`,
      'Steps that were submitted stay with it. Their receipts arrive only while it is linked.',
    ],
  }
}

export function closedResult(id: string, verb: 'pause' | 'drain', waiting: number): Result {
  const traffic = trafficOf[verb]
  return {
    json: { id, traffic, waiting },
    lines: [`route ${id} is ${traffic}; ${following}`, `${steps(waiting)} for it. ${effects[verb]}`],
  }
}

export function rateResult(id: string, partsPerSecond: number, before: number): Result {
  return {
    json: { id, partsPerSecond, before },
    lines: [`route ${id} had ${before} parts per second and has ${partsPerSecond} now; ${effects.rate}`],
  }
}

export function deletedResult(id: string, deleted: boolean, waiting: number): Result {
  return {
    json: { id, deleted, waiting },
    lines: [
      deleted ? `route ${id} deleted; ${following}` : `route ${id} would be deleted`,
      `${steps(waiting)} for it, besides those in its queues. All of them move to other routes that serve them; the rest fails because no route serves it. Its queues are deleted when they are empty.`,
    ],
  }
}

function steps(count: number): string {
  return count === 1 ? '1 step waits' : `${count} steps wait`
}
