/** Which answers are stored and repeated, and which forget their key. Pure. */

/**
 * Final: the same request would get the same answer. Not final: a rate limit, an internal error, or a destination that
 * the broker did not confirm; sent again under the same msgKeys, it may still be accepted.
 */
export function isFinal(status: number, body: string): boolean {
  if (status >= 429) return false
  if (status !== 200) return true
  const { data } = JSON.parse(body) as { data?: { destinations?: { code: string }[] } }
  return data?.destinations?.some(({ code }) => code === 'A920') !== true
}

/** Of a final answer: no message was accepted. */
export function isRefusal(status: number, body: string): boolean {
  if (status !== 200) return true
  const { data } = JSON.parse(body) as { data?: { destinations?: { code: string }[] } }
  return data?.destinations?.every(({ code }) => code !== 'A000') === true
}

/**
 * Certainly nothing was accepted, so that the next request with the key may be another one: a gateway that sends through
 * this one shortens the time limit of a message while it waits.
 */
export function isNotAccepted(status: number, body: string): boolean {
  if (status === 429) return true
  if (status !== 503) return false
  const { code, result } = JSON.parse(body) as { readonly code?: string; readonly result?: string }
  return code === 'A920' && /\b(?:not|nothing was) accepted\b/.test(result ?? '')
}
