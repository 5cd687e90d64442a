/**
 * Reports whether the response is stored and repeated: the same request would get the same response. Not
 * final are a rate limit, an internal error, an unavailable service, and a destination that the broker did not
 * confirm; such a request may still be accepted when it is repeated under the same msgKeys.
 */
export function isFinalResponse(status: number, body: string): boolean {
  if (status >= 429) return false
  if (status !== 200) return true
  const { data } = JSON.parse(body) as { data?: { destinations?: { code: string }[] } }
  return data?.destinations?.some(({ code }) => code === 'A920') !== true
}

/** Reports whether a final response accepted no message. */
export function isRefusedSend(status: number, body: string): boolean {
  if (status !== 200) return true
  const { data } = JSON.parse(body) as { data?: { destinations?: { code: string }[] } }
  return data?.destinations?.every(({ code }) => code !== 'A000') === true
}

/**
 * Reports whether certainly nothing was accepted, so that the next request with the key may differ: a gateway
 * that sends through this one repeats a message with a shorter time limit.
 */
export function isNotAccepted(status: number, body: string): boolean {
  if (status === 429) return true
  if (status !== 503) return false
  const { code, result } = JSON.parse(body) as { readonly code?: string; readonly result?: string }
  return code === 'A920' && /\b(?:not|nothing was) accepted\b/.test(result ?? '')
}
