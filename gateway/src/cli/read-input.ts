/** Reads the input file of a command, or standard input for `-`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer as readStream } from 'node:stream/consumers'
import { UsageError } from './errors.ts'

export interface InputFile {
  /** The content without a byte order mark. */
  readonly content: string
  /** The hash of the bytes, which identifies the file in the audit log; `sha256sum` prints the same. */
  readonly sha256: string
}

export async function readInput(file: string): Promise<InputFile> {
  const bytes = await readBytes(file)
  return { content: decode(file, bytes), sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file)
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Refuses other encodings: Korean spreadsheets save CP949, whose letters would be stored as U+FFFD. */
function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const name = file === '-' ? 'standard input' : file
    throw new UsageError(
      `${name} is not UTF-8; nothing was stored. Save it as UTF-8 and run the command again`,
    )
  }
}
