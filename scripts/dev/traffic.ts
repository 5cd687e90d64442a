// The traffic that the sandbox of `npm run dev` shows from the start: one example of every channel, and then one every now and then.

import { examplesWith, send, uploadPictures, type Target } from './examples.ts'

const everyMs = 15_000

export interface Traffic {
  stop(): void
}

/** Resolves when one example of each channel was accepted. */
export async function startTraffic(target: Target, report: (problem: string) => void): Promise<Traffic> {
  const examples = examplesWith(await uploadPictures(target))
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
