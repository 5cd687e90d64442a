/** A policy without rules, for tests of the pipeline. */
import { getOriginCid } from '../../src/channels/content.ts'
import type { Policy } from '../../src/trust/policy.ts'

export const allowEverything: Policy = {
  checkDraft: () => undefined,
  checkSubmission: () => null,
  isRouteAllowed: () => true,
  getReplacementTime: () => undefined,
  getOrigin: ({ content }) => getOriginCid(content),
}
