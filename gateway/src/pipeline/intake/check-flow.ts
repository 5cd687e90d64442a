/**
 * Reads every step of a flow as the later stages will. Throws when one of them cannot: the schema of a job knows the content
 * of a rich step only as an object, and a step that fails after it was recorded would have to be parked by a later stage.
 * Called by intake for every message.
 */
import { laneOf } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'

/** A step's deadline must be a time that PostgreSQL can store. 31 years; accept allows three days. */
const maxTtlSeconds = 1e9

export function checkFlow({ steps, msgKey }: AcceptedJob): void {
  for (const step of steps) {
    const channel = channels[step.channel]
    if (Math.abs(step.ttlSeconds ?? 0) > maxTtlSeconds) throw new RangeError('ttlSeconds is out of range')
    laneOf(step, null)
    channel.sender(step)
    channel.msgType(step)
    channel.parts(step, msgKey)
  }
}
