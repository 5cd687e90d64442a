/** Every topic, one line each, in the order in which they judge. */
import { createOrigin } from './origin/origin.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'
import type { Topic } from './topic.ts'

export function createTopics(settings: TrustSettings): readonly Topic[] {
  return [createSenders(settings), createOrigin(settings)]
}
