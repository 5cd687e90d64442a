/** Retries a throttled send as a client should: after the seconds of `Retry-After`. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpResponse } from './json-http.ts'

export async function retryAfterThrottling<Body>(
  send: () => Promise<HttpResponse<Body>>,
): Promise<HttpResponse<Body>> {
  let response = await send()
  while (response.httpStatus === 429) {
    await delay(Number(response.headers['retry-after'] ?? 1) * 1000)
    response = await send()
  }
  return response
}
