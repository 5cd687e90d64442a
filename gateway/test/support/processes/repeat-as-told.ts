/** Repeats a send that the gateway refuses for now, as a client should: after the seconds that `Retry-After` gives. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpAnswer } from './json-http.ts'

export async function repeatAsTold<Body>(send: () => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  let answer = await send()
  while (answer.httpStatus === 429) {
    await delay(Number(answer.headers['retry-after'] ?? 1) * 1000)
    answer = await send()
  }
  return answer
}
