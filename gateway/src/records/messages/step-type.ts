/**
 * What a report says about a step, also when its content cannot be read: a message must end whatever its content is. Intake
 * parks such messages; these functions serve the ones that were recorded before or are dropped.
 */
import type { Step } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'

/** The service type where the content has no message type. */
export function msgTypeOf(step: Step): string {
  const channel = channels[step.channel]
  try {
    return channel.msgType(step)
  } catch {
    return channel.serviceType
  }
}

/** 1 where the content cannot be divided: it was not submitted. */
export function partCount(step: Step, msgKey: string): number {
  try {
    return channels[step.channel].parts(step, msgKey).length
  } catch {
    return 1
  }
}
