/**
 * The message type and part count of a step for its report, even if its content cannot be read: a message
 * must end whatever its content is. Intake parks such messages; these functions serve those that were
 * recorded before or are dropped.
 */
import type { Step } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'

/** Returns the service type if the content has no message type. */
export function getStepMsgType(step: Step): string {
  const channel = channels[step.channel]
  try {
    return channel.msgType(step)
  } catch {
    return channel.serviceType
  }
}

/** Returns 1 if the content cannot be split: it was not submitted. */
export function countStepParts(step: Step, msgKey: string): number {
  try {
    return channels[step.channel].parts(step, msgKey).length
  } catch {
    return 1
  }
}
