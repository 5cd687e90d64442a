/** For tests whose messages have one step: there is nothing to follow. */
import type { Follow } from '../../src/settle/follow.ts'

export const nothingFollows: Follow = {
  stepTtlSeconds: 86_400,
  release: () => Promise.resolve(),
  releaseStranded: () => Promise.resolve(),
}
