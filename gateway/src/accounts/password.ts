/** Passwords: generated here, shown once, stored as argon2id in the PHC string format. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { randomLetters } from '../contract/msg-key.ts'

const argon2Async = promisify(argon2)

// The first configuration that OWASP recommends for argon2id: 19 MiB, two passes, one lane.
const memory = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

export function generatePassword(): string {
  return randomLetters(24)
}

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2Async('argon2id', {
    message: password,
    nonce,
    memory,
    passes,
    parallelism,
    tagLength,
  })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (match === null) throw new Error('a stored password hash is not argon2id')
  const expected = Buffer.from(match[5]!, 'base64')
  const tag = await argon2Async('argon2id', {
    message: password,
    nonce: Buffer.from(match[4]!, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  })
  return timingSafeEqual(tag, expected)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
