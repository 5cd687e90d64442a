/**
 * How much memory of Redis an Idempotency-Key takes, estimated from above. `bounds.test.ts` compares it with what Redis says:
 * a claim of one msgKey takes 280 bytes, its answer 500, that of ten recipients 1.9 KB.
 */

/** The fields, the entries of the key in the tables of Redis, and its expiry. */
const claimOverhead = 600
const answerOverhead = 450
/** Redis allocates in classes of size, each up to a quarter larger than the one before. */
const allocation = 1.25

export function claimBytes(key: string, msgKeys: string): number {
  return claimOverhead + Math.ceil(allocation * (key.length + msgKeys.length))
}

export function answerBytes(key: string, body: string): number {
  return answerOverhead + Math.ceil(allocation * (key.length + Buffer.byteLength(body)))
}

const maxRefusalBytes = 512
const maxText = 120

/**
 * The body of a refusal as it is stored: a long one keeps its codes and the beginning of each text, so that requests that
 * have no effect fill little of Redis.
 */
export function shortenRefusal(body: string): string {
  if (Buffer.byteLength(body) <= maxRefusalBytes) return body
  return JSON.stringify(JSON.parse(body), (_name, value: unknown) =>
    typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…` : value,
  )
}
