import { clock } from '../../../platform/time/clock.ts'
import { messageCipher } from '../../../platform/encryption/message-cipher.ts'

/** No response begins with this prefix, because responses are JSON. */
const prefix = 'sealed:'

/**
 * Returns the body as `sealed:<day>:<ciphertext>` if messages are encrypted, otherwise unchanged. The Redis
 * key is authenticated, so a body that is copied to another key cannot be read.
 */
export async function toStoredBody(key: string, body: string): Promise<string> {
  if (!messageCipher.sealing) return body
  const day = clock.date().toISOString().slice(0, 10).replaceAll('-', '')
  return `${prefix}${day}:${await messageCipher.seal(day + key, body)}`
}

export async function fromStoredBody(key: string, stored: string): Promise<string> {
  if (!stored.startsWith(prefix)) return stored
  const [day, sealed] = stored.slice(prefix.length).split(':') as [string, string]
  await messageCipher.loadKeys([sealed])
  return messageCipher.unseal(day + key, sealed)
}
