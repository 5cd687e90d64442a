/**
 * The body of a stored answer, encrypted where messages are: the answer to an omni send names its recipients. It is stored
 * as `sealed:<day>:` and the ciphertext, under the key of the day it was stored. Called by the store.
 */
import { clock } from '../../platform/clock.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'

/** No answer begins with it: answers are JSON. */
const prefix = 'sealed:'

/** `key`: the Redis key, so that an answer that is copied to another key is not read. */
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
