/**
 * How submissions over the sandbox are recognized in stored attempts: by the ids and codes that only it gives. A route that had another
 * protocol when a message was sent has no such attempts. Pure.
 */
export const idPrefix = 'sandbox-'
export const codePrefix = 'sandbox:'

/**
 * The key by which a reply that a tester invented is stored. The keys of what carriers deliver are digests of a fixed size without this
 * beginning, so that none of them is taken for an invented one, whatever protocol its route has had.
 */
export function inventedKey(digest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(idPrefix), digest])
}
