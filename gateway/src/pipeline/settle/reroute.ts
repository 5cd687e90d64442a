/**
 * A step whose recipient was ported to another carrier is tried again there instead of failing, when the router chooses
 * another route for it: the carrier that said so has certainly not delivered it. Each hop is a try of the step with a
 * reference and a claim of its own, within the deadline of the step. Called in the transaction of settle.
 */
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { stepId } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import { lockInTime, startNextTries } from '../../records/messages/advance.ts'
import type { EndedStep } from '../../records/messages/close.ts'
import { oweSteps, type Outbox } from '../scheduling/outbox.ts'
import { isOneOfSeveral } from './match-items.ts'
import { maxTries } from './resend.ts'

/** Of the steps that end, those that are tried again, by their ids. They must be released after the commit. */
export async function rerouteSteps(
  transaction: Queryable,
  ending: readonly EndedStep[],
  outbox: Pick<Outbox, 'hasOtherRoute'>,
): Promise<ReadonlyMap<string, EndedStep>> {
  const ported = new Map(
    ending
      .filter((step) => step.portedTo !== undefined && step.try < maxTries)
      .map((step) => [stepId(step), step]),
  )
  if (ported.size === 0) return new Map()
  const locked = await lockInTime(transaction, [...ported.values()], clock.cutoff(0))
  const servable = locked.filter((step) => {
    const { accountId, channel, to, msgKey, routeId } = step
    const carrier = ported.get(stepId(step))!.portedTo!
    return to !== null && outbox.hasOtherRoute({ accountId, channel, to, msgKey, carrier }, routeId)
  })
  if (servable.length === 0) return new Map()
  const started = await startNextTries(transaction, servable)
  await oweSteps(transaction, started)
  const keys = new Set(started.map(({ msgKey }) => msgKey))
  return new Map([...ported].filter(([, { msgKey }]) => keys.has(msgKey)))
}

/** The carrier that a receipt says the number was ported to. Of a message in parts others may be delivered: it ends. */
export function portedCarrier(
  matched: MatchedPart,
  { portedTo, result }: Pick<ReceiptJob, 'portedTo' | 'result'>,
): string | undefined {
  return result !== 'failed' || isOneOfSeveral(matched) ? undefined : portedTo
}
