// Sends sandbox traffic for `npm run dev`: every example at the start, then one at intervals.

import { createExamples, send, uploadImages, type ApiTarget } from './examples.ts'

const everyMs = 15_000

export interface Traffic {
  stop(): void
}

/** Resolves when every example was accepted. */
export async function startTraffic(target: ApiTarget, report: (problem: string) => void): Promise<Traffic> {
  const examples = createExamples(await uploadImages(target))
  for (const example of examples) await send(target, example)
  let next = 0
  let reported = false
  const timer = setInterval(() => {
    send(target, examples[next++ % examples.length]!).catch((error: unknown) => {
      if (!reported) report((error as Error).message)
      reported = true
    })
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
