/**
 * A log of the accepted submissions, for tests. Its size is bounded: beyond the limit the oldest are dropped and
 * counted, so that an answer shows that it is incomplete. Off by default.
 */
import type { Part } from './parts.ts'
import { decodeText } from './text.ts'

export interface Entry {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly dataCoding: number
  /** Octets after any user data header, as latin1: a string costs less than a Buffer each. */
  readonly octets: string
  readonly part: Part | undefined
}

export interface RecordedSubmission {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly dataCoding: number
  readonly text?: string
  /** Instead of `text`, when the octets cannot be read as text. */
  readonly hex?: string
  readonly part: Part | null
  /** How many recorded submissions have this from, to, text and part. */
  readonly count: number
}

export type Duplicate = Omit<RecordedSubmission, 'id'> & { readonly ids: readonly string[] }

export class SubmissionLog {
  readonly #limit: number
  #entries: Entry[] = []
  #next = 0
  dropped = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(entry: Entry): void {
    if (this.#entries.length < this.#limit) {
      this.#entries.push(entry)
      return
    }
    this.dropped++
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
  }

  #inOrder(): Entry[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
  }

  #groups(withRef: boolean): Map<string, Entry[]> {
    return Map.groupBy(this.#inOrder(), (entry) => keyOf(entry, withRef))
  }

  /** The newest `limit` submissions, oldest first; only those to one number if given. */
  list(to: string | undefined, limit: number): RecordedSubmission[] {
    const groups = this.#groups(true)
    const chosen = this.#inOrder().filter((entry) => to === undefined || entry.to === to)
    return chosen.slice(Math.max(0, chosen.length - limit)).map((entry) => ({
      id: entry.id,
      ...describe(entry),
      count: groups.get(keyOf(entry, true))!.length,
    }))
  }

  /** `withRef` false finds a long message submitted again under another reference number. */
  duplicates(withRef: boolean): Duplicate[] {
    return [...this.#groups(withRef).values()]
      .filter((group) => group.length > 1)
      .map((group) => ({
        ...describe(group[0]!),
        count: group.length,
        ids: group.map((entry) => entry.id),
      }))
  }

  clear(): void {
    this.#entries = []
    this.#next = 0
    this.dropped = 0
  }
}

function keyOf({ from, to, dataCoding, octets, part }: Entry, withRef: boolean): string {
  const position = part === undefined ? '' : `${withRef ? part.ref : ''}/${part.total}/${part.sequence}`
  return `${from}|${to}|${dataCoding}|${position}|${octets}`
}

function describe(entry: Entry): Omit<RecordedSubmission, 'id' | 'count'> {
  const { from, to, dataCoding, part } = entry
  const octets = Buffer.from(entry.octets, 'latin1')
  const text = decodeText(dataCoding, octets)
  const content = text === undefined ? { hex: octets.toString('hex') } : { text }
  return { from, to, dataCoding, ...content, part: part ?? null }
}
