/**
 * How long to wait before connecting again: doubling from a least to a greatest pause, with jitter, so that
 * the sessions of a carrier that comes back do not all knock in the same millisecond. Pure.
 */
export function backoffMs(
  failures: number,
  limits: { readonly reconnectMinMs: number; readonly reconnectMaxMs: number },
  random: () => number = Math.random,
): number {
  const { reconnectMinMs, reconnectMaxMs } = limits
  // Beyond 2^30 the product would only lose precision.
  const full = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(failures, 30))
  return jitter(full, random)
}

/** Between a half and the whole of it. */
export function jitter(fullMs: number, random: () => number = Math.random): number {
  return Math.round(fullMs / 2 + (fullMs / 2) * random())
}
