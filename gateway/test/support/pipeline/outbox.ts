/** An outbox for messages of one step, which have no next step to publish. */
import type { Outbox } from '../../../src/pipeline/scheduling/outbox.ts'

export const emptyOutbox: Outbox = {
  stepTtlSeconds: 86_400,
  release: () => Promise.resolve(),
  hasOtherRoute: () => false,
  hasStranded: () => false,
  canPublish: true,
  releaseStranded: () => Promise.resolve(),
}
