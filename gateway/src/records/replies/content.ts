/**
 * The stored form of a reply's content: JSON, or a ciphertext under the key of its day if messages are encrypted
 * (POSTERN_ENCRYPT_MESSAGES). Both forms are always readable.
 */
import { DamagedCiphertext } from '../../platform/encryption/ciphertext.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { ReplyContent } from './reply.ts'

export interface StoredContent {
  readonly content: string | null
  readonly sealed: Buffer | null
}

export async function storeContent(replyKey: string, content: ReplyContent): Promise<StoredContent> {
  const { from, to, kind, text } = content
  const json = JSON.stringify({ from, to, kind, text })
  if (!messageCipher.sealing) return { content: json, sealed: null }
  return { content: null, sealed: Buffer.from(await messageCipher.seal(replyKey, json), 'base64') }
}

/** Adds the contents to the rows; `null` if the key is destroyed. */
export async function withContents<Row extends StoredContent & { readonly replyKey: string }>(
  rows: readonly Row[],
): Promise<(Omit<Row, 'content' | 'sealed'> & { readonly content: ReplyContent | null })[]> {
  await messageCipher.loadKeys(rows.map(({ sealed }) => sealed?.toString('base64')))
  return rows.map(({ content, sealed, ...row }) => ({ ...row, content: open(row.replyKey, content, sealed) }))
}

function open(replyKey: string, content: string | null, sealed: Buffer | null): ReplyContent | null {
  try {
    const json = sealed === null ? content! : messageCipher.unseal(replyKey, sealed.toString('base64'))
    return JSON.parse(json) as ReplyContent
  } catch (error) {
    if (!(error instanceof DamagedCiphertext)) throw error
    return null
  }
}
