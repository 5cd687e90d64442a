/**
 * Refuses sender numbers that only some businesses may use, unless the installation allows their kind
 * (`POSTERN_SENDER_KINDS`). Whether a number has the form of a sender at all is checked by its channel.
 */
import { senderKindOf, type SenderKind } from '../../channels/numbers.ts'
import { channels } from '../../channels/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { CheckInMemory } from './check-steps.ts'

const meanings: Readonly<Record<Exclude<SenderKind, 'ordinary'>, string>> = {
  special: 'is a special number, which only its owner may send from',
  'old-mobile': 'is a mobile number that ended with 2G',
  forwarding: 'is a safety or personal number, which forwards to another and hides the sender',
}

export function createCheckSenders(allowed: readonly string[] = []): CheckInMemory {
  return (steps, placeOf, issues) => {
    let previous: string | undefined
    for (const [index, step] of steps.entries()) {
      const sender = channels[step.channel].sender(step)
      // A fallback without a sender of its own has that of the first step.
      if (sender === previous) continue
      previous = sender
      const kind = senderKindOf(sender) ?? 'ordinary'
      if (kind === 'ordinary' || allowed.includes(kind)) continue
      const reason = `${meanings[kind]}; the operator may allow it (POSTERN_SENDER_KINDS=${kind})`
      issues.add(invalidField('A302', `${placeOf(step, index)}from`, reason))
    }
  }
}
