/** Which answers are stored and repeated. Pure. */

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
