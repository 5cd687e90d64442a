/** Passwords: generated here, shown once and stored as argon2id in the PHC string format. */
import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { randomLetters } from '../../contract/msg-key.ts'

const argon2Async = promisify(argon2)

// The first configuration that OWASP recommends for argon2id: 19 MiB, two passes, one lane.
const memory = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

export function generatePassword(): string {
  return randomLetters(24)
}

const smppAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/**
 * Generates eight characters, the maximum of the protocol: 46 bits. Attempts are limited as for other
 * passwords.
 */
export function generateSmppPassword(): string {
  return Array.from({ length: 8 }, () => smppAlphabet[randomInt(smppAlphabet.length)]!).join('')
}

/**
 * `existingHash` is that of another password that remains valid. Both get the same salt, so that one
 * computation compares a password with both, and checks take the same time for every account.
 */
export async function hashPassword(password: string, existingHash?: string): Promise<string> {
  const nonce = existingHash === undefined ? randomBytes(16) : Buffer.from(parse(existingHash).salt, 'base64')
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

/** Returns the index of the hash that matches the password, or -1. Hashes with one salt cost one computation. */
export async function findPassword(password: string, hashes: readonly string[]): Promise<number> {
  const parsed = hashes.map(parse)
  const tags = new Map<string, Buffer>()
  let match = -1
  for (const [index, { head, salt, costs, expected }] of parsed.entries()) {
    let tag = tags.get(head)
    if (tag === undefined) {
      const nonce = Buffer.from(salt, 'base64')
      tag = await argon2Async('argon2id', { message: password, nonce, ...costs, tagLength: expected.length })
      tags.set(head, tag)
    }
    if (match === -1 && timingSafeEqual(tag, expected)) match = index
  }
  return match
}

/**
 * Returns the hash of the password with the salt and costs of a stored hash, which is compared elsewhere.
 * `salt` is the stored string up to and including its last `$`.
 */
export async function hashPasswordAs(password: string, salt: string): Promise<string> {
  const { head, salt: nonce, costs } = parse(`${salt}${'A'.repeat(43)}`)
  const tag = await argon2Async('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    ...costs,
    tagLength,
  })
  return `${head}$${unpadded(tag)}`
}

/** A salt that belongs to no password. Hashing with it costs as much as checking a real one. */
export const unusableSalt = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${'A'.repeat(22)}$`

function parse(phc: string) {
  const match = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+))\$([A-Za-z0-9+/]{43})$/.exec(
    phc,
  )
  if (match === null) throw new Error('a stored password hash is not argon2id')
  const costs = { memory: Number(match[2]), passes: Number(match[3]), parallelism: Number(match[4]) }
  return { head: match[1]!, salt: match[5]!, costs, expected: Buffer.from(match[6]!, 'base64') }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
