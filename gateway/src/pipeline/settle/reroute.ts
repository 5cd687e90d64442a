/**
 * A step whose recipient was ported to another carrier is tried again there instead of failing, when a route serves that
 * carrier: the carrier that said so has certainly not delivered it. Each hop is a try of the step with a reference and a
 * claim of its own, within the deadline of the step. Called in the transaction of settle.
 */
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { stepId } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import { lockInTime, startNextTries } from '../../records/messages/advance.ts'
import type { EndedStep } from '../../records/messages/close.ts'
import type { Route } from '../../routes/route.ts'
import { oweSteps } from '../scheduling/outbox.ts'
import { isOneOfSeveral } from './match-items.ts'
import { maxTries } from './resend.ts'

/** Of the steps that end, those that are tried again, by their ids. They must be released after the commit. */
export async function rerouteSteps(
  transaction: Queryable,
  ending: readonly EndedStep[],
): Promise<ReadonlyMap<string, EndedStep>> {
  const ported = ending.filter((step) => step.portedTo !== undefined && step.try < maxTries)
  if (ported.length === 0) return new Map()
  const locked = await lockInTime(transaction, ported, clock.date())
  if (locked.length === 0) return new Map()
  const started = await startNextTries(transaction, locked)
  await oweSteps(transaction, started)
  const keys = new Set(started.map(({ msgKey }) => msgKey))
  return new Map(ported.filter(({ msgKey }) => keys.has(msgKey)).map((step) => [stepId(step), step]))
}

/**
 * The carrier that a receipt says the number was ported to, when another route for the same channels lists it. Of a message
 * in parts others may be delivered: it ends.
 */
export function portedRoute(
  routes: readonly Route[],
  matched: MatchedPart,
  { portedTo, routeId, result }: ReceiptJob,
): string | undefined {
  if (portedTo === undefined || result !== 'failed' || isOneOfSeveral(matched)) return undefined
  const from = routes.find(({ id }) => id === routeId)
  const serves = ({ id, enabled, carriers, channels }: Route): boolean =>
    enabled &&
    id !== routeId &&
    carriers.includes(portedTo) &&
    channels.some((name) => from?.channels.includes(name))
  return routes.some(serves) ? portedTo : undefined
}
