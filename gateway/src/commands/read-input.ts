/** Reads the file that a command is given, or standard input for `-`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer as readStream } from 'node:stream/consumers'
import { UsageError } from './errors.ts'

export interface InputFile {
  /** Without a byte order mark. */
  readonly content: string
  /** Of its bytes, by which the audit log names it: `sha256sum` prints the same. */
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

/** Spreadsheets save CP949 in Korea, whose letters would be stored as U+FFFD. */
function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const name = file === '-' ? 'standard input' : file
    throw new UsageError(
      `${name} is not UTF-8, and nothing is stored; save it as UTF-8 and run the command again`,
    )
  }
}
