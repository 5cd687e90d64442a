/**
 * The lines of a batch as they are stored: pages of JSON, compressed, and encrypted if messages are. The flow of the
 * batch is stored as one JSON text, not compressed, and encrypted in the same case. The day in the key of the batch
 * names the data key.
 */
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { DamagedCiphertext } from '../../platform/encryption/ciphertext.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'

/** A recipient of a batch. The recipient is not checked before the check of the batch. */
export interface BatchLine {
  readonly to: string
  readonly ref?: string
  readonly replaceWords?: Readonly<Record<string, string>>
}

/** The content that all lines share. A registered form is replaced by its flow. */
export interface BatchContent {
  readonly messageFlow: Record<string, unknown>[]
  readonly paymentCode?: string
}

export interface PageId {
  readonly batchKey: string
  readonly part: number
  readonly page: number
}

export interface StoredLines {
  /** Null once the recipients are erased. */
  readonly content: Buffer | null
  readonly isSealed: boolean
}

const compress = promisify(deflate)
const decompress = promisify(inflate)

export function packLines(id: PageId, lines: readonly BatchLine[]): Promise<StoredLines> {
  return packJson(id, JSON.stringify(lines))
}

/** Packs an array of lines that is JSON already. */
export async function packJson(id: PageId, lines: string): Promise<StoredLines> {
  const content = await compress(lines)
  if (!messageCipher.sealing) return { content, isSealed: false }
  const sealed = await messageCipher.seal(toCipherId(id), content)
  return { content: Buffer.from(sealed, 'base64'), isSealed: true }
}

/** Returns null if the recipients are erased: the content was deleted, or its data key was destroyed. */
export async function unpackLines(id: PageId, stored: StoredLines): Promise<BatchLine[] | null> {
  const { content, isSealed } = stored
  if (content === null) return null
  const compressed = isSealed ? await unseal(toCipherId(id), content) : content
  return compressed === null ? null : (JSON.parse((await decompress(compressed)).toString()) as BatchLine[])
}

/** Binds a page to its place: it cannot be decrypted in another one. */
function toCipherId({ batchKey, part, page }: PageId): string {
  return `${batchKey}/${part}/${page}`
}

export interface StoredContent {
  readonly content: string | null
  readonly sealed: Buffer | null
}

export async function packContent(batchKey: string, content: BatchContent): Promise<StoredContent> {
  const text = JSON.stringify(content)
  if (!messageCipher.sealing) return { content: text, sealed: null }
  return { content: null, sealed: Buffer.from(await messageCipher.seal(batchKey, text), 'base64') }
}

/** Returns null if its data key was destroyed. */
export async function unpackContent(
  batchKey: string,
  { content, sealed }: StoredContent,
): Promise<BatchContent | null> {
  const text = content ?? (await unseal(batchKey, sealed!))?.toString()
  return text === undefined ? null : (JSON.parse(text) as BatchContent)
}

async function unseal(id: string, sealed: Buffer): Promise<Buffer | null> {
  const text = sealed.toString('base64')
  await messageCipher.loadKeys([text])
  try {
    return messageCipher.unsealBytes(id, text)
  } catch (error) {
    if (error instanceof DamagedCiphertext) return null
    throw error
  }
}

/** Returns a 64-bit hash that finds equal recipients of an account without storing them. */
export function hashRecipient(index: BlindIndex, accountId: number, to: string): bigint {
  return index.of(to, accountId).readBigInt64BE()
}
