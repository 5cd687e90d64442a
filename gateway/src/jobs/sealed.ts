/**
 * The encrypted content of a message: recipient and steps as one ciphertext, `sealed`. It is created once, with
 * the message, or by intake if the API process does not encrypt yet; jobs carry it through the broker and the
 * table `messages` stores it, unchanged. In memory a job has both forms; `toWire` omits the plaintext, and
 * `read.ts` adds it again. On the wire such a job has version 2: a process that cannot read it parks it.
 */
import type { Step } from '../channels/channel.ts'
import { DamagedCiphertext } from '../platform/encryption/ciphertext.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import type { AcceptedJob } from './jobs.ts'

export const sealedVersion = 2

export interface MessagePlaintext {
  readonly to: string
  readonly steps: readonly Step[]
}

/**
 * Throws `DamagedCiphertext` if the content cannot be decrypted; its key must be in memory
 * (`messageCipher.loadKeys`).
 */
export function unsealContent(msgKey: string, sealed: string): MessagePlaintext {
  return JSON.parse(messageCipher.unseal(msgKey, sealed)) as MessagePlaintext
}

/** Adds the ciphertext to a job that has none, if messages are encrypted. */
export async function ensureSealed(job: AcceptedJob): Promise<AcceptedJob> {
  if (!messageCipher.sealing || job.sealed !== undefined) return job
  const { msgKey, to, steps } = job
  return { ...job, sealed: await messageCipher.seal(msgKey, JSON.stringify({ to, steps })) }
}

/** Returns the ciphertext of a delivered job that has no plaintext content. */
export function getSealed(candidate: unknown): string | undefined {
  if (typeof candidate !== 'object' || candidate === null) return undefined
  const { v, sealed, msgKey } = candidate as Readonly<Record<'v' | 'sealed' | 'msgKey', unknown>>
  return v === sealedVersion && typeof sealed === 'string' && typeof msgKey === 'string' ? sealed : undefined
}

/** Adds the plaintext content of a delivered job. Throws `DamagedCiphertext` if it cannot be decrypted. */
export function addContent(candidate: unknown): unknown {
  const sealed = getSealed(candidate)
  if (sealed === undefined) return candidate
  const job = candidate as { readonly msgKey: string; readonly step?: unknown }
  const { to, steps } = unsealContent(job.msgKey, sealed)
  return typeof job.step === 'number'
    ? { ...job, v: 1, to, content: steps[job.step - 1] }
    : { ...job, v: 1, to, steps }
}

/**
 * Returns a job in the form for the broker or a table: without plaintext content if it has an encrypted one.
 */
export function toWire<Job>(job: Job): Job {
  if (typeof job !== 'object' || job === null || (job as { sealed?: unknown }).sealed === undefined)
    return job
  // JSON omits undefined fields. Writing an object from which fields were deleted is slower.
  return { ...job, v: sealedVersion, to: undefined, steps: undefined, content: undefined }
}

export interface SealedRow {
  readonly msgKey: string
  readonly sealed: Buffer | null
}

export interface RowContent extends MessagePlaintext {
  /** The ciphertext in the form that jobs carry. */
  readonly sealed: string
}

/**
 * Returns the contents of rows of `messages` by msgKey; rows whose content is missing or unreadable are
 * omitted.
 */
export async function readContents(rows: readonly SealedRow[]): Promise<ReadonlyMap<string, RowContent>> {
  const contents = new Map<string, RowContent>()
  const sealedRows = rows.flatMap(({ msgKey, sealed }) =>
    sealed === null ? [] : [{ msgKey, sealed: sealed.toString('base64') }],
  )
  if (sealedRows.length === 0) return contents
  await messageCipher.loadKeys(sealedRows.map(({ sealed }) => sealed))
  for (const { msgKey, sealed } of sealedRows) {
    try {
      contents.set(msgKey, { ...unsealContent(msgKey, sealed), sealed })
    } catch (error) {
      // One damaged row must not block the others of its batch; its message ends at its deadline.
      if (!(error instanceof DamagedCiphertext)) throw error
    }
  }
  return contents
}
