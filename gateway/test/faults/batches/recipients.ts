/** Lines of test batches: mostly valid recipients, some repeated and some wrong, so that every count has a known value. */
import { ordinaryRecipient, sender } from '../../load/steady-load.ts'

export interface TestList {
  /** Lines of each part, which is one upload. */
  readonly parts: readonly number[]
  /** First digits of all recipients. Batches with different prefixes have no recipient in common. */
  readonly prefix: string
  /** Index of the first recipient within the prefix. */
  readonly first?: number
}

export interface ExpectedCounts {
  readonly lines: number
  readonly duplicate: number
  readonly refused: number
}

/** One line in a thousand repeats an earlier recipient, and one has an invalid number. */
const period = 1_000
const repeatedAt = 499
const wrongAt = 713

export function splitInto(parts: number, lines: number): number[] {
  const size = Math.ceil(lines / parts)
  return Array.from({ length: parts }, (_, part) => Math.min(size, lines - part * size))
}

export function recipientOf({ prefix, first = 0 }: TestList, index: number): string {
  const position = index % period
  if (position === wrongAt) return `999${index}`
  return ordinaryRecipient(prefix, first + (position === repeatedAt ? index - 10 : index))
}

export function refOf(index: number): string {
  return `r${index}`
}

/** Returns the CSV text of a part, from 1. */
export function toCsv(list: TestList, part: number): string {
  const before = list.parts.slice(0, part - 1).reduce((sum, lines) => sum + lines, 0)
  const rows = Array.from({ length: list.parts[part - 1]! }, (_, line) => {
    const index = before + line
    return `${recipientOf(list, index)},${refOf(index)},Customer ${index}\n`
  })
  return `to,ref,name\n${rows.join('')}`
}

export function expectedCounts({ parts }: TestList): ExpectedCounts {
  const lines = parts.reduce((sum, part) => sum + part, 0)
  const count = (position: number): number => Math.ceil(Math.max(0, lines - position) / period)
  return { lines, duplicate: count(repeatedAt), refused: count(wrongAt) }
}

/** The text has the tag of the batch, so the simulator counts submissions of two batches separately. */
export function toFlow(tag: string, ttlSeconds?: number): object[] {
  const ttl = ttlSeconds === undefined ? {} : { ttl: String(ttlSeconds) }
  return [{ sms: { from: sender, text: `${tag} for #{name}`, ...ttl } }]
}
