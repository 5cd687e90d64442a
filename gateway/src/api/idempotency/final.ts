/** Which answers are kept and given again. Pure. */

/**
 * What the same request would be answered again. Not so a limit, a fault of ours, or a destination that the broker did
 * not take: sent again under the same msgKeys, it may still be accepted.
 */
export function isFinal(status: number, body: string): boolean {
  if (status >= 429) return false
  if (status !== 200) return true
  const { data } = JSON.parse(body) as { data?: { destinations?: { code: string }[] } }
  return data?.destinations?.some(({ code }) => code === 'A920') !== true
}
