/**
 * Log of accepted submissions for tests, off by default. Bounded: the oldest are dropped and counted, so a
 * response shows whether it is complete.
 */
import type { MessagePart } from './parts.ts'
import { decodeText } from './text.ts'

export interface LoggedSubmission {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly dataCoding: number
  /** Octets after any user data header, as latin1: a string needs less memory than a Buffer. */
  readonly octets: string
  readonly part: MessagePart | undefined
}

export interface RecordedSubmission {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly dataCoding: number
  readonly text?: string
  /** Replaces `text` if the octets cannot be decoded. */
  readonly hex?: string
  readonly part: MessagePart | null
  /** Number of recorded submissions with the same from, to, text and part. */
  readonly count: number
}

export type Duplicate = Omit<RecordedSubmission, 'id'> & { readonly ids: readonly string[] }

export class SubmissionLog {
  readonly #limit: number
  #entries: LoggedSubmission[] = []
  #next = 0
  dropped = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(entry: LoggedSubmission): void {
    if (this.#entries.length < this.#limit) {
      this.#entries.push(entry)
      return
    }
    this.dropped++
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
  }

  #inOrder(): LoggedSubmission[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
  }

  #groups(withRef: boolean): Map<string, LoggedSubmission[]> {
    return Map.groupBy(this.#inOrder(), (entry) => keyOf(entry, withRef))
  }

  /** Lists the newest `limit` submissions, oldest first, optionally to one number. */
  list(to: string | undefined, limit: number): RecordedSubmission[] {
    const groups = this.#groups(true)
    const chosen = this.#inOrder().filter((entry) => to === undefined || entry.to === to)
    return chosen
      .slice(Math.max(0, chosen.length - limit))
      .map((entry) => ({ id: entry.id, ...describe(entry), count: groups.get(keyOf(entry, true))!.length }))
  }

  /** If `withRef` is false, long messages submitted again under another reference number are duplicates. */
  duplicates(withRef: boolean): Duplicate[] {
    return [...this.#groups(withRef).values()]
      .filter((group) => group.length > 1)
      .map((group) => ({ ...describe(group[0]!), count: group.length, ids: group.map((entry) => entry.id) }))
  }

  clear(): void {
    this.#entries = []
    this.#next = 0
    this.dropped = 0
  }
}

function keyOf({ from, to, dataCoding, octets, part }: LoggedSubmission, withRef: boolean): string {
  const position = part === undefined ? '' : `${withRef ? part.ref : ''}/${part.total}/${part.sequence}`
  return `${from}|${to}|${dataCoding}|${position}|${octets}`
}

function describe(entry: LoggedSubmission): Omit<RecordedSubmission, 'id' | 'count'> {
  const { from, to, dataCoding, part } = entry
  const octets = Buffer.from(entry.octets, 'latin1')
  const text = decodeText(dataCoding, octets)
  const content = text === undefined ? { hex: octets.toString('hex') } : { text }
  return { from, to, dataCoding, ...content, part: part ?? null }
}
