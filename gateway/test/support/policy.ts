/** A policy without rules, for tests of the pipeline. */
import { originCidOf } from '../../src/channels/content.ts'
import type { Policy } from '../../src/trust/policy.ts'

export const allowEverything: Policy = {
  judgeDraft: () => undefined,
  judgeSubmission: () => null,
  mayUse: () => true,
  placedAgainAt: () => undefined,
  originOf: ({ content }) => originCidOf(content),
}
