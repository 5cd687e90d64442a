/** Retries a throttled send as a client should: after the seconds of `Retry-After`. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpResponse } from './json-http.ts'

export async function retryAfterThrottling<Body>(
  send: () => Promise<HttpResponse<Body>>,
): Promise<HttpResponse<Body>> {
  let answer = await send()
  while (answer.httpStatus === 429) {
    await delay(Number(answer.headers['retry-after'] ?? 1) * 1000)
    answer = await send()
  }
  return answer
}
