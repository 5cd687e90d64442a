/**
 * The id of a message at Google: a version 5 UUID (RFC 9562) of our reference. A repeated submission has the same id and is
 * ignored.
 */
import { createHash } from 'node:crypto'

/** Our namespace. Must never change, because receipts of earlier messages would not match. */
const namespace = Buffer.from('6f0c1c3e8f7a4c5f9d2b7a51e4d6b380', 'hex')

export function toRbmMessageId(reference: string): string {
  const octets = createHash('sha1').update(namespace).update(reference).digest().subarray(0, 16)
  octets[6] = (octets[6]! & 0x0f) | 0x50
  octets[8] = (octets[8]! & 0x3f) | 0x80
  const hex = octets.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
