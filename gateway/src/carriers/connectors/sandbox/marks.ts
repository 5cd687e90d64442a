/**
 * Prefixes that identify submissions over the sandbox in stored attempts. Only the sandbox uses them. A route that had another
 * protocol when a message was sent has no such attempts.
 */
export const idPrefix = 'sandbox-'
export const codePrefix = 'sandbox:'

/**
 * Returns the key by which a reply that a tester created is stored. Keys of carrier replies are digests of a fixed size without
 * this prefix, so that none of them counts as created by a tester, whatever protocol its route has had.
 */
export function testerReplyKey(digest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(idPrefix), digest])
}
