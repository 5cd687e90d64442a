/** Upper estimates, in bytes, for the fields, the table entries and the expiry of a key in Redis. */
const claimOverhead = 600
const responseOverhead = 450
/** Redis allocates in size classes, each up to a quarter larger than the one before. */
const allocationFactor = 1.25

export function estimateClaimBytes(key: string, msgKeys: string): number {
  return claimOverhead + Math.ceil(allocationFactor * (key.length + msgKeys.length))
}

export function estimateResponseBytes(key: string, body: string): number {
  return responseOverhead + Math.ceil(allocationFactor * (key.length + Buffer.byteLength(body)))
}

const shortenAboveBytes = 512
const maxTextLength = 120

/**
 * Returns the body of a refusal as it is stored: a long one keeps its codes and the beginning of each text,
 * so requests without effect fill little of Redis.
 */
export function shortenRefusal(body: string): string {
  if (Buffer.byteLength(body) <= shortenAboveBytes) return body
  return JSON.stringify(JSON.parse(body), (_name, value: unknown) =>
    typeof value === 'string' && value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value,
  )
}
